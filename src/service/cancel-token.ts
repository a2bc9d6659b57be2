/* Says who may cancel a job: the client that posted it, and whoever has the token in the reply. */

import { createHash, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type Client, partyOf } from './client.ts';
import type { Job } from './jobs/job.ts';

/**
 * A new token, and its hash, which is kept with the job: who reads what is stored can cancel nothing. With an Idempotency-Key
 * the token follows from it, so that a repeated request, which returns the same job, returns its token, too.
 */
export function createCancelToken(
  client: string,
  key?: string,
): { readonly token: string; readonly cancelHash: string } {
  const token =
    key === undefined ? randomBytes(TOKEN_OCTETS).toString('base64url') : hashOf(`cancel ${client} ${key}`);
  return { token, cancelHash: hashOf(token) };
}

/** As hard to guess as the identifier of a job. */
const TOKEN_OCTETS = 16;

/** A request to cancel a job. */
interface CancelRequest {
  readonly from: Client;
  readonly headers: IncomingHttpHeaders;
  readonly query: URLSearchParams;
}

/** Whether a request may cancel a job. One of an earlier version has no token: who knows its link may. */
export function mayCancel({ owner }: Pick<Job, 'owner'>, { from, headers, query }: CancelRequest): boolean {
  if (owner.cancelHash === undefined || owner.party === partyOf(from)) return true;
  const token = headers['cancel-token'] ?? query.get('cancel');
  return typeof token === 'string' && hashOf(token) === owner.cancelHash;
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
