/** Findings about how servers answer. */
import { answer, denial, type FindingRow, failure, rcode, type Saying, tried, withFlags } from './world.ts';

const ANSWER = answer('192.0.2.80');

/** What ns1.a. says. */
const ns1 = (saying: Saying) => ({ '192.0.2.11 *': saying });
/** The exchange with it proves something. */
const AT_NS1 = 'a. ns1.a. 192.0.2.11: 192.0.2.11';

export const PROTOCOL: readonly FindingRow[] = [
  {
    code: 'NS_MANGLES_CASE',
    shows: 'the question came back in other letters',
    says: ns1(tried('case-mismatch, NOERROR', ANSWER)),
    finds: [`notice ${AT_NS1}`],
  },
  {
    code: 'NS_MANGLES_CASE',
    shows: 'a second try for another reason',
    says: ns1(tried('timeout, NOERROR', ANSWER)),
    finds: [],
  },
  {
    code: 'REPLY_QUESTION_MISMATCH',
    shows: 'a reply to another question',
    says: ns1(tried('!wrong-question timeout', failure('malformed'))),
    finds: [`error ${AT_NS1}`],
    tells: ['replies to queries for a with a different question than was sent'],
  },
  {
    code: 'REPLY_QUESTION_MISMATCH',
    shows: 'another ID in front of the right reply',
    says: ns1(tried('!wrong-id NOERROR', ANSWER)),
    finds: [`error ${AT_NS1}`],
    tells: ['replies to queries for a with a different ID than was sent'],
  },
  {
    code: 'REPLY_QUESTION_MISMATCH',
    shows: 'what came cannot be decoded',
    says: ns1(tried('!undecodable timeout', failure('malformed'))),
    finds: [],
  },
  {
    code: 'REPLY_MALFORMED',
    shows: 'what came cannot be decoded',
    says: ns1(tried('!undecodable timeout', failure('malformed'))),
    finds: [`error ${AT_NS1}`],
    tells: ['sends broken replies for a (cannot be decoded)'],
  },
  {
    code: 'REPLY_MALFORMED',
    shows: 'truncated even over TCP',
    says: ns1(tried('TC, tcp TC', failure('malformed'))),
    finds: [`error ${AT_NS1}`],
    tells: ['(truncated over TCP)'],
  },
  {
    code: 'REPLY_MALFORMED',
    shows: 'truncated over UDP only',
    says: ns1(tried('TC, tcp NOERROR', ANSWER)),
    finds: [],
  },
  {
    code: 'EDNS_BREAKS',
    shows: 'the same question passes without EDNS',
    says: ns1(tried('FORMERR, plain NOERROR', ANSWER)),
    finds: [`error ${AT_NS1}`],
  },
  {
    code: 'EDNS_BREAKS',
    shows: 'it fails without EDNS too',
    says: ns1(tried('FORMERR, plain FORMERR', rcode('FORMERR'))),
    finds: [],
  },
  { code: 'EDNS_BREAKS', shows: 'EDNS was not used', says: ns1(tried('plain NOERROR', ANSWER)), finds: [] },
  {
    code: 'TCP_UNREACHABLE',
    shows: 'a truncated reply, and nobody at the TCP port',
    says: ns1(tried('TC, tcp ECONNREFUSED', failure('unreachable'))),
    finds: [`warning ${AT_NS1}`],
  },
  {
    code: 'TCP_UNREACHABLE',
    shows: 'the connection is closed before a whole reply',
    says: ns1(tried('TC, tcp closed', failure('timeout'))),
    finds: [`warning ${AT_NS1}`],
  },
  {
    code: 'TCP_UNREACHABLE',
    shows: 'this host may not connect',
    says: ns1(tried('TC, tcp EACCES', failure('unreachable'))),
    finds: [],
  },
  { code: 'TCP_UNREACHABLE', shows: 'TCP works', says: ns1(tried('TC, tcp NOERROR', ANSWER)), finds: [] },
  {
    code: 'OPEN_RECURSION',
    shows: 'the RA bit',
    says: ns1(withFlags(ANSWER, 'aa', 'ra')),
    finds: [`warning ${AT_NS1}`],
  },
  {
    code: 'OPEN_RECURSION',
    shows: 'the RD bit, which says nothing',
    says: ns1(withFlags(ANSWER, 'aa', 'rd')),
    finds: [],
  },
  {
    code: 'PATH_INTERCEPTED',
    shows: 'all root servers behave like a resolver',
    says: { '192.0.2.1 *': withFlags(ANSWER, 'ra'), '192.0.2.2 *': withFlags(denial('nxdomain', '.')) },
    finds: ['critical .: 192.0.2.1, 192.0.2.2'],
  },
  {
    code: 'PATH_INTERCEPTED',
    shows: 'one of them does',
    says: { '192.0.2.1 *': withFlags(ANSWER, 'ra') },
    finds: [],
  },
  {
    code: 'PATH_INTERCEPTED',
    shows: 'the root denies a name with authority',
    says: { '192.0.2.1 *': denial('nxdomain', '.'), '192.0.2.2 *': denial('nxdomain', '.') },
    finds: [],
  },
];
