/* The abstract resolver, as data: svc-model(7), THE VIEWS. */

import type { Behaviour, ReplyKind, WholeReaction } from '../explore/profiles/profile.ts';

const WHOLE: Readonly<Record<ReplyKind, WholeReaction>> = {
  answer: 'end',
  'answer-without-aa': 'end',
  'answer-malformed': 'end',
  nxdomain: 'end',
  'nxdomain-bare': 'end',
  nodata: 'end',
  'nodata-without-aa': 'end',
  'nodata-without-soa': 'end',
  'other-records': 'end',
  'lame-upward': 'next-server',
  'lame-self': 'next-server',
  'lame-sideways': 'next-server',
  'lame-empty': 'next-server',
  'lame-other-records': 'next-server',
  FORMERR: 'next-server',
  SERVFAIL: 'next-server',
  NOTIMP: 'next-server',
  REFUSED: 'next-server',
  YXDOMAIN: 'next-server',
  'other-rcode': 'next-server',
  malformed: 'next-server',
  unreachable: 'next-server',
  timeout: 'next-server',
};

/** Names in random order, each address once, every reply of no use leads to the next server, and no wait is too long. */
export const ABSTRACT: Behaviour = {
  picks: {
    by: 'name',
    gluedFirst: 'alike',
    lookedUpJoin: 'next-try',
    again: 'any',
    fastest: 'round-trip',
    afterError: 'heard',
    busy: { kind: 'fastest' },
  },
  whole: WHOLE,
  glue: { taken: 'all', afterErrors: 'not-looked-up', lookups: 'whole' },
  aliases: { target: 'asked', leadingBack: 'end' },
  families: { kind: 'all' },
  fallbacks: {
    FORMERR: 'same-server',
    'FORMERR-with-opt': 'same-server',
    NOTIMP: 'same-server',
    BADVERS: 'same-server',
    'case-lost': 'same-server',
    truncated: 'same-server',
  },
  tcp: { waitMs: 0, dropped: 'next-server', silent: 'next-server' },
  tries: { kind: 'in-turn', rounds: 0 },
  time: { toNextTry: [Number.POSITIVE_INFINITY], patience: 'anew', closedPort: 'noticed' },
  ownSet: { used: 'used', asked: 'all', whenFailing: 'servfail' },
};

/** The same with proof: whatever does not verify leads to the next server, too, unless it needs a fact that could not be learnt. */
export const ABSTRACT_VALIDATING: Behaviour = {
  ...ABSTRACT,
  validation: {
    keys: 'first',
    unsigned: 'next-server',
    broken: 'next-server',
    unlearnt: 'end-of-all',
    noKeys: { denied: 'next-server', others: 'next-server', empty: 'next-server' },
    minimised: { proven: 'asked', nxdomain: 'taken', parent: 'taken', others: 'taken' },
    provenNxdomain: 'does-not-end',
    brokenKeys: 'not-taken',
  },
};
