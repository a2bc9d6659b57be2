/* The documents that a service sends to webhook receivers when jobs start and end. */

import { described, named, type Of } from '../../base/shape.ts';
import { object, optional } from '../../base/shape-object.ts';
import { COUNT, list, nullable, oneOf, TEXT, TIME } from '../../base/shape-values.ts';
import { MILLISECONDS, NAME, TYPE } from '../common-shapes.ts';
import { SUMMARY_ROW } from '../ends.ts';
import { ENDED_STATUS } from '../events.ts';
import { JOB_ID } from './jobs.ts';

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
