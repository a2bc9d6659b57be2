import { list, nullable } from '../../shape/list.ts';
import { object, optional } from '../../shape/object.ts';
import { described, named } from '../../shape/schema.ts';
import type { Of } from '../../shape/shape.ts';
import { COUNT, oneOf, TEXT, TIME } from '../../shape/values.ts';
import { NAME, TYPE } from '../dns.ts';
import { SUMMARY_ROW } from '../ends.ts';
import { ENDED_STATUS } from '../events.ts';
import { MILLISECONDS } from '../measures.ts';
import { JOB_ID } from './job-id.ts';

const SEEN = {
  id: JOB_ID,
  name: NAME,
  type: TYPE,
  client: described(TEXT, 'The client, as the rate limit tells clients apart.'),
  region: nullable(TEXT),
  at: TIME,
};

/** What a webhook receiver is told when a job starts. */
export const START_WEBHOOK = named(
  'StartWebhook',
  object({
    event: oneOf('start'),
    ...SEEN,
    attempt: optional(
      described(
        COUNT,
        'Which attempt this is, if not the first. Another start after the service was asked to stop is none.',
      ),
    ),
  }),
);

/** What a webhook receiver is told when a job that started has ended. */
export const COMPLETE_WEBHOOK = named(
  'CompleteWebhook',
  object({
    event: oneOf('complete'),
    ...SEEN,
    status: ENDED_STATUS,
    durationMs: MILLISECONDS,
    exchanges: COUNT,
    summary: list(SUMMARY_ROW),
  }),
);

/** What a webhook receiver is told about a job (svc-api(5), WEBHOOKS). */
export type WebhookEvent = Of<typeof START_WEBHOOK> | Of<typeof COMPLETE_WEBHOOK>;
