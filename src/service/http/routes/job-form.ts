import { RESULT_FORMS, type ResultForm } from '../../../document/api/forms.ts';
import { listed } from '../../../reading/words/listed.ts';
import type { Rendering } from '../../../work/render/renderer.ts';
import { clientNetwork } from '../../clients/client-network.ts';
import { isEnded, type Job } from '../../jobs/job.ts';
import type { ApiRequest } from '../api-request.ts';
import type { HttpReply, ReplyHeaders } from '../http-reply.ts';
import type { ServiceParts } from '../parts.ts';
import { busyReply, problemOf, problemReply } from '../problem.ts';

/** GET /api/traverse/{id}?format=: the result of an ended job in another form than JSON. `format` as it was asked for. */
export async function getJobForm(
  { state }: Job,
  format: string,
  { renderer }: ServiceParts,
  { from }: ApiRequest,
): Promise<HttpReply> {
  const form = RESULT_FORMS.find((one) => one === format);
  if (form === undefined) return problemReply(UNKNOWN_FORM);
  if (!isEnded(state)) return problemReply(NOT_ENDED);
  const result = 'result' in state ? state.result : undefined;
  if (result === undefined) return problemReply(NO_RESULT);
  const rendering = await renderer.render({ form, result }, clientNetwork(from.client));
  return replyOf(rendering, form);
}

const UNKNOWN_FORM = problemOf(
  400,
  `The values of format are ${listed(RESULT_FORMS, RESULT_FORMS.length)}; without it, the job is JSON.`,
);
const NOT_ENDED = problemOf(409, 'The job has not ended, so its result has no form yet.');
const NO_RESULT = problemOf(409, 'The job ended without a result.');
const NO_GRAPHVIZ = problemOf(
  501,
  'This service cannot draw: its operator can install the package @viz-js/viz. format=dot is for Graphviz elsewhere.',
);
const TOO_MUCH = problemOf(500, 'To render this result takes too much time or memory.');

function replyOf(rendering: Rendering, form: ResultForm): HttpReply {
  switch (rendering.kind) {
    case 'rendered':
      return { kind: 'whole', status: 200, headers: HEADERS[form], body: [rendering.octets] };
    case 'no-graphviz':
      return problemReply(NO_GRAPHVIZ);
    case 'too-much':
      return problemReply(TOO_MUCH);
    case 'busy':
      return busyReply('Other results are being rendered.');
    case 'dropped':
      return busyReply('The service is shutting down.');
  }
}

const TEXT = { 'Content-Type': 'text/plain; charset=utf-8' };

/** The headers of a result in each form. */
const HEADERS: Readonly<Record<ResultForm, ReplyHeaders>> = {
  text: TEXT,
  mermaid: TEXT,
  dot: { 'Content-Type': 'text/vnd.graphviz; charset=utf-8' },
  // An image can be opened like a page; it may do nothing and load nothing.
  svg: { 'Content-Type': 'image/svg+xml', 'Content-Security-Policy': "default-src 'none'; sandbox" },
};
