/* Words for the verdicts on replies beyond "secure" and "bogus": reasons, and Extended DNS Errors. */

import type { InsecureReason } from '../../dns/dnssec/reasons.ts';
import { extendedErrorName } from '../../dns/extended-errors.ts';
import type { Name } from '../../dns/name.ts';
import type { ExchangeRow, ExchangeSecurity } from '../exchanges.ts';
import { type SecurityWords, securityWords } from './end-words.ts';
import { listed } from './lists.ts';

type Insecure = Extract<ExchangeSecurity, { status: 'insecure' }>;

/** Why something is insecure: "no DS for shop.example., as ns1.example. proves". Undefined where no reason is known. */
export function insecurityWords(security: Insecure): string | undefined {
  const { reason, server } = security;
  if (reason === undefined) return undefined;
  const because = becauseWords(reason, security);
  return server === undefined ? because : `${because}, as ${server.name} proves`;
}

function becauseWords(reason: InsecureReason, { zone, algorithms = [], digests = [] }: Insecure): string {
  const where = zone === undefined ? '' : ` for ${zone}`;
  switch (reason) {
    case 'no-ds':
      return `no DS${where}`;
    case 'unsupported-ds':
      return `no supported DS${where}${unsupportedWords(algorithms, digests)}`;
    case 'opt-out':
      return zone === undefined ? 'the denial rests on NSEC3 opt-out' : `no DS${where} by NSEC3 opt-out`;
    case 'iterations':
      return `the denial${zone === undefined ? '' : ` of a DS${where}`} has too many NSEC3 iterations`;
    case 'unsigned-parent':
      return `${zone} is insecure`;
  }
}

/** What is not supported, after the words for DS records: " (algorithm 12, digest type 3)". */
export function unsupportedWords(algorithms: readonly number[], digests: readonly number[]): string {
  const parts = [
    ...(algorithms.length === 0 ? [] : [`algorithm ${listed(algorithms.map(String))}`]),
    ...(digests.length === 0 ? [] : [`digest type ${listed(digests.map(String))}`]),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

/** The verdict on a reply of a zone's servers, with its reason and code: "bogus: the signature has expired (EDE 7, Signature Expired)". */
export function verdictWords(
  security: ExchangeSecurity | undefined,
  zone: Name | undefined,
): string | undefined {
  const words = securityWords(security, zone);
  if (words === undefined) return undefined;
  const reason = security?.status === 'insecure' ? insecurityWords(security) : words.reason;
  const code = codeWords(security);
  return `${reasonedWords({ ...words, reason })}${code === undefined ? '' : ` (${code})`}`;
}

/** The verdict on an exchange, whoever was asked. Only a reply with keys can fail to match DS records or trust anchors. */
export function exchangeVerdictWords({
  security,
  question,
}: Pick<ExchangeRow, 'security' | 'question'>): string | undefined {
  return verdictWords(security, question.type === 'DNSKEY' ? question.name : undefined);
}

/** "bogus: the signature has expired", "secure" */
export function reasonedWords({
  verdict,
  reason = '',
}: Pick<SecurityWords, 'verdict'> & { readonly reason?: string | undefined }): string {
  return reason === '' ? verdict : `${verdict}: ${reason}`;
}

/** Details for a row that says "insecure" or "bogus" already: the reason for the former, without its server, and the code. */
export function verdictDetails(security: ExchangeSecurity | undefined): readonly string[] {
  const because =
    security?.status === 'insecure' && security.reason ? becauseWords(security.reason, security) : undefined;
  return [because, codeWords(security)].filter((words) => words !== undefined);
}

function codeWords(security: ExchangeSecurity | undefined): string | undefined {
  const ede = security !== undefined && 'ede' in security ? security.ede : undefined;
  return ede === undefined ? undefined : `EDE ${ede}, ${extendedErrorName(ede)}`;
}
