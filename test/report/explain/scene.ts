import { answerData } from '../../../src/document/summary.ts';
import type { End } from '../../../src/evaluate/end.ts';
import { ZERO } from '../../../src/evaluate/fraction.ts';
import { bearingOf } from '../../../src/reading/bearing.ts';
import type { Scene } from '../../../src/report/explain/known.ts';
import { parseName } from '../../../src/wire/name.ts';

const ZONE = parseName('shop.example');
export const QUESTION = { name: parseName('www.shop.example'), type: 'A' };
export const SERVER = { name: parseName('ns1.host.test'), address: '192.0.2.1' };
export const AT = { question: QUESTION, zone: ZONE, server: SERVER };
export const NOBODY = { question: QUESTION, zone: ZONE, server: null };
export const NS = parseName('ns2.host.test');
export const LOOKUP = { question: { name: NS, type: 'A' }, zone: parseName('host.test'), server: null };

/** A result of which nothing else is known. */
export const SCENE: Scene = {
  query: QUESTION,
  parentsOf: () => [parseName('example')],
  lostAt: () => ZERO,
  judge: bearingOf,
  agreed: false,
  usual: undefined,
  quote: (end) => answerData(end).join(', '),
  decidingServers: () => [],
  gainOf: () => undefined,
  isFound: () => false,
  isFoundIn: () => false,
  addressesOf: () => [],
  faultsAt: () => [],
  tooLargeForUdp: () => false,
  bogusServers: () => [],
  isHeardOver: () => true,
};

export function answer(data: string, authoritative = true): End {
  const records = [{ name: QUESTION.name, type: 'A', ttl: 300, data }];
  return { kind: 'answer', records, aliases: [], authoritative, ...AT };
}
