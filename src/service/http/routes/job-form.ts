import { listed } from '../../../reading/words/listed.ts';
import { FORMATS, formatsIn, isOffered } from '../../../report/formats.ts';
import type { RenderedFormat } from '../../../work/render/rendered.ts';
import type { Rendering } from '../../../work/render/renderer.ts';
import { clientNetwork } from '../../clients/client-network.ts';
import { isEnded, type Job } from '../../jobs/job.ts';
import type { ApiRequest } from '../api-request.ts';
import { type HttpReply, jsonReply, type ReplyHeaders } from '../http-reply.ts';
import type { ServiceParts } from '../parts.ts';
import { busyReply, problemOf, problemReply } from '../problem.ts';

/** GET /api/traverse/{id}?format=: the result of an ended job alone, in a format. `format` as it was asked for. */
export async function getJobForm(
  { state }: Job,
  format: string,
  { renderer }: ServiceParts,
  { from }: ApiRequest,
): Promise<HttpReply> {
  if (!isOffered(format, 'api')) return problemReply(UNKNOWN_FORMAT);
  if (!isEnded(state)) return problemReply(NOT_ENDED);
  const result = 'result' in state ? state.result : undefined;
  if (result === undefined) return problemReply(NO_RESULT);
  if (format === 'json') return jsonReply(200, [...result, LINE_END]);
  const rendering = await renderer.render({ form: format, result }, clientNetwork(from.client));
  return replyOf(rendering, format);
}

const LINE_END = Buffer.from('\n');

const NAMES = formatsIn('api');
const UNKNOWN_FORMAT = problemOf(
  400,
  `The values of format are ${listed(NAMES, NAMES.length)}; without it, the reply is the job.`,
);
const NOT_ENDED = problemOf(409, 'The job has not ended, so its result has no form yet.');
const NO_RESULT = problemOf(409, 'The job ended without a result.');
const NO_GRAPHVIZ = problemOf(
  501,
  'This service cannot draw: its operator can install the package @viz-js/viz. format=dot is for Graphviz elsewhere.',
);
const TOO_MUCH = problemOf(500, 'To render this result takes too much time or memory.');

function replyOf(rendering: Rendering, format: RenderedFormat): HttpReply {
  switch (rendering.kind) {
    case 'rendered':
      return { kind: 'whole', status: 200, headers: headersOf(format), body: [rendering.octets] };
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

function headersOf(format: RenderedFormat): ReplyHeaders {
  const { mediaType, made } = FORMATS[format];
  // An image can be opened like a page; it may do nothing and load nothing. XML says itself how it is encoded.
  if (made.kind === 'picture')
    return { 'Content-Type': mediaType, 'Content-Security-Policy': "default-src 'none'; sandbox" };
  return { 'Content-Type': `${mediaType}; charset=utf-8` };
}
