import type { Profile } from './profile.ts';

/** BIND 9.18 at its defaults (qname-minimization relaxed). */
export const BIND: Profile = {
  product: 'BIND',
  version: '9.18',
  standing: 'default',
  deviations: [
    {
      text: 'Where signatures are missing or of another key, BIND looks for an unsigned zone below; if its DS questions fail, users get SERVFAIL.',
      seen: 'In the profile it asks another server. The DS questions can also change which server is the fastest.',
      at: [['usable'], ['no-signature', 'wrong-key']],
    },
    {
      text: 'BIND asks the next server after a reply that is truncated even over TCP, and waits on after a reply to another question.',
      seen: 'In the profile both end the lookup, like a message that cannot be decoded.',
      at: [['malformed']],
    },
    {
      text: 'BIND minimises an IPv6 reverse name at /48, /56 and /64.',
      seen: 'The profile asks for the whole name. The bound of seven labels is from the source.',
    },
    {
      text: 'BIND waits longer for replies to the whole name if the zone above has fewer addresses than there are minimised names.',
      seen: 'A server that takes 2.3 s is heard then; in the profile BIND does not wait so long.',
    },
  ],
  picks: {
    by: 'address',
    gluedFirst: { of: 1, in: 1 },
    lookedUpJoin: 'next-question',
    lookedUpBy: 'address',
    again: 'unheard-first',
    fastest: 'smoothed',
    afterError: 'heard',
    busy: { kind: 'fastest' },
  },
  whole: {
    answer: 'end',
    'answer-without-aa': 'end',
    nxdomain: 'end',
    'nxdomain-bare': 'end',
    nodata: 'end',
    'nodata-without-aa': 'end',
    'nodata-without-soa': 'end',
    'other-records': 'next-server',
    'alias-loop': 'end',
    'lame-upward': 'next-server',
    'lame-self': 'next-server',
    'lame-sideways': 'next-server',
    'lame-empty': 'end',
    'lame-other-records': 'next-server',
    FORMERR: 'next-server',
    SERVFAIL: 'next-server',
    NOTIMP: 'next-server',
    REFUSED: 'next-server',
    YXDOMAIN: 'next-server',
    'other-rcode': 'next-server',
    malformed: 'end-of-all',
    unreachable: 'next-server',
    timeout: 'next-server',
  },
  minimisation: {
    style: {
      type: 'NS',
      apex: 'not-asked',
      labels: 'one-each',
      mostAtZone: 4,
      mostLabels: 7,
      wholeNameWithA: 'not-asked',
    },
    reactions: {
      answer: 'next-label',
      'answer-without-aa': 'next-label',
      nxdomain: 'whole-name',
      'nxdomain-bare': 'whole-name',
      nodata: 'next-label',
      'nodata-without-aa': 'next-label',
      'nodata-without-soa': 'next-label',
      alias: 'next-label',
      'other-records': 'next-server',
      'alias-loop': 'whole-name',
      'lame-upward': 'next-server',
      'lame-self': 'next-server',
      'lame-sideways': 'next-server',
      'lame-empty': 'next-label',
      'lame-other-records': 'next-server',
      FORMERR: 'next-server',
      SERVFAIL: 'next-server',
      NOTIMP: 'next-server',
      REFUSED: 'next-server',
      YXDOMAIN: 'next-server',
      'other-rcode': 'next-server',
      malformed: 'next-label',
      unreachable: 'next-server',
      timeout: 'next-server',
    },
    noServer: 'whole-name',
  },
  tries: { kind: 'in-turn', rounds: 4 },
  time: {
    toNextTry: [800, 800, 1_600, 3_200, 6_400],
    patience: 'anew',
    closedPort: 'noticed',
    ofLookUp: 10_000,
    failureKept: 12_000,
  },
  ownSet: {
    used: 'used',
    whenFailing: 'servfail',
    learnt: 'reply',
    lives: 'as-parents',
    addresses: 'parents',
  },
  ttl: { least: 0, most: 604_800, leastAddress: 10, mostNegative: 10_800, negative: 'smaller' },
  validation: {
    keys: 'after-first-reply',
    unsigned: 'next-server',
    broken: 'next-server',
    noKeys: { denied: 'next-server', others: 'next-server', empty: 'next-server' },
    minimised: { proven: 'asked', nxdomain: 'next-server', parent: 'next-server', others: 'next-server' },
    provenNxdomain: 'does-not-end',
    brokenKeys: 'not-taken',
    clients: 'all',
    failureKept: { ttl: 0, seconds: 3 },
  },
};

/** BIND 9.18 with qname-minimization strict. */
export const BIND_STRICT: Profile = {
  ...BIND,
  standing: 'named',
  minimisation: {
    style: { ...BIND.minimisation.style, apex: 'asked', mostAtZone: 5 },
    reactions: { ...BIND.minimisation.reactions, nxdomain: 'end', 'nxdomain-bare': 'end' },
    noServer: 'end-of-all',
  },
};

/** How each datum of BIND was found, a sentence each. */
export const BIND_FOUND: readonly string[] = [
  'Picks: each case was looked up 135 times with a cold cache. If one name server has three addresses and another has one, each of the four comes first equally often. If one server has glue and another has none, the one with glue came first in 405 of 405 lookups. If none has glue, each address comes first equally often.',
  'Next question at a zone: with round-trip times of 10 ms, every lookup went to a server that had not replied yet; a reply with an error counts as a reply. After that, BIND asks the server with the least smoothed round-trip time. By its source, this time begins at random near 0 and moves 3/10 towards the measured one with each reply. So the order of all addresses is drawn once: of three with glue and one without, the one without came second in 88 of 200 lookups (the profile: in half), and after two with glue in 33 of 39.',
  'Replies: each kind of reply was sent by one of two servers, and by both. An empty reply without AA counts as NODATA; a message that cannot be decoded ends the lookup.',
  'Minimisation: at a zone of two labels BIND asks for the NS records of four names, each one label longer, and then for the whole name. Each kind of reply was sent for y.ZONE and for x.y.ZONE. If nobody replies for y.ZONE, users get SERVFAIL after 10 s.',
  'Validation: each flaw of signatures was at one of two servers, for names of one and of three labels, 64 lookups each. BIND asks for the keys of the zone after the first reply that it accepts, and asks another server after every reply that does not verify, for minimised names, too.',
  'Busy: with 20 sets of round-trip times, 300 lookups each, the fastest server got at least 97 % where the others are more than 50 ms slower, and at least 90 % where its round-trip time is 285 ms or more.',
  "Waits: BIND waits 0.8, 0.8, 1.6 and 3.2 s at each address in turn, and returns SERVFAIL after 10.0 s, just when users' programs give up. Replies that come later are lost (delays from 450 to 6000 ms). Each minimised name uses up an address of the zone above, whose registry had eight; where it had one, waits for the whole name of three labels began at 1.6 s.",
  "Cache: a TTL of 30 days is cut to 7 days, and a negative TTL to 3 hours. A failed question is asked again after 1 s, and a question whose answer did not validate after at most 3 s. The address of a name server was used for up to 10 s after a TTL of 3 and of 6 s. In 20 moved zones, whose servers send no DNS cookies, the zone's own NS records, asked for late or brought by replies, never kept BIND at the old servers longer than the parent's copy. The tests with real resolvers show the use of a zone's own NS records.",
  "The zone's own NS records: once a user has asked for them and their servers are dead or refuse, users get SERVFAIL (3 of 3 lookups).",
  'BIND 9.20 (Debian 13) treats each kind of reply as 9.18 does.',
];

/** How each datum of the strict profile was found, a sentence each. */
export const BIND_STRICT_FOUND: readonly string[] = [
  "Minimisation: as in relaxed mode, but BIND first asks for the zone's own NS records, errors of all servers lead to SERVFAIL, and NXDOMAIN counts for the whole name.",
  'Everything else is as in the profile bind.',
];
