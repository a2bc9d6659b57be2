import fc from 'fast-check';
import type { Question } from '../../../src/dns/message.ts';
import { parseName } from '../../../src/dns/name.ts';
import { names } from './names.ts';

const TYPES = ['A', 'A', 'AAAA', 'NS', 'CNAME', 'DNAME', 'SOA', 'ANY', 'RRSIG', 'DS', 'TYPE65280'];

/** What to look up. */
export const questions: fc.Arbitrary<Question> = fc.record({
  name: fc.oneof({ weight: 4, arbitrary: fc.constant(parseName('www.x.a.com.')) }, names),
  type: fc.constantFrom(...TYPES),
});
