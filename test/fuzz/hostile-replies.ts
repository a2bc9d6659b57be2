import fc from 'fast-check';
import type { Flag } from '../../src/dns/message.ts';
import { ROOT } from '../../src/dns/name.ts';
import { encodeRdata } from '../../src/dns/rdata/rdata.ts';
import { hex } from '../dns/message-bytes.ts';
import { rdataRows } from '../dns/rdata-rows.ts';
import { labels, names } from './names.ts';
import type { Pointed, Said, Told } from './said.ts';

/** Addresses that replies name: few, so that servers meet again; some that nobody may be sent to. */
export const ADDRESSES = [
  ...['11.0.0.1', '11.0.0.2', '11.0.0.3', '11.0.1.4', '10.0.0.5', '127.0.0.1', '0.0.0.0', '255.255.255.255'],
  ...['2a00::1', '2a00::2', '2a00:1::3', '::1', 'fd00::4', '64:ff9b::a00:1', '2002:7f00:1::'],
] as const;

/** What a hostile server may say; `hanging`: it may also say nothing until it is given up. */
export function says(hanging: 'hangs' | 'replies'): fc.Arbitrary<Said> {
  return fc.oneof(
    { weight: 5, arbitrary: referrals },
    { weight: 3, arbitrary: answers },
    { weight: 2, arbitrary: aliases },
    { weight: 3, arbitrary: replies },
    { weight: 1, arbitrary: failures },
    { weight: hanging === 'hangs' ? 1 : 0, arbitrary: fc.constant<Said>({ kind: 'hangs' }) },
  );
}

const pointed: fc.Arbitrary<Pointed> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ keep: fc.nat(4), below: fc.constant([]) }) },
  { weight: 2, arbitrary: fc.record({ keep: fc.nat(3), below: fc.array(labels, { maxLength: 2 }) }) },
  { weight: 1, arbitrary: names.map((name) => ({ name })) },
);

const ttl = fc.constantFrom(0, 300, 0x7fff_ffff, 0xffff_ffff);

const times = fc.oneof({ weight: 12, arbitrary: fc.constant(1) }, fc.nat(90));

function told(type: string, data: fc.Arbitrary<Told['data']>, owner = pointed): fc.Arbitrary<Told> {
  return fc.record({
    owner,
    type: fc.constant(type),
    data,
    class: fc.oneof({ weight: 30, arbitrary: fc.constant('IN') }, fc.constantFrom('CH', 'CLASS4711')),
    ttl,
    times,
  });
}

const named = pointed.map((name) => ({ name }));

const v4 = fc.constantFrom(...ADDRESSES.filter((address) => !address.includes(':')));

const v6 = fc.constantFrom(...ADDRESSES.filter((address) => address.includes(':')));

const soa = { octets: encodeRdata('SOA', 'm. h. 1 2 3 4 5', ROOT) };

const address = (type: 'A' | 'AAAA', owner = pointed) =>
  told(
    type,
    (type === 'A' ? v4 : v6).map((text) => ({ octets: encodeRdata(type, text, ROOT) })),
    owner,
  );

/** Any record: of the type asked or another, with data that fit, lead somewhere or are any octets. */
const anything: fc.Arbitrary<Told> = fc.oneof(
  told('NS', named),
  told('CNAME', named),
  told('DNAME', named),
  address('A'),
  address('AAAA'),
  told('SOA', fc.constant(soa)),
  told(
    '?',
    fc.uint8Array({ maxLength: 20 }).map((octets) => ({ octets })),
  ),
  fc.constantFrom(...rdataRows).chain(([type, octets]) => told(type, fc.constant({ octets: hex(octets) }))),
  fc.constantFrom('NS', 'CNAME', 'DNAME', 'A', 'SOA', 'TXT', 'RRSIG').chain((type) =>
    told(
      type,
      fc.uint8Array({ maxLength: 9 }).map((octets) => ({ octets })),
    ),
  ),
);

const sections = fc.array(anything, { maxLength: 4 });

const flags = fc.subarray<Flag>(['aa', 'tc', 'rd', 'ra', 'ad', 'cd']);

const rcodes = fc.oneof(
  { weight: 6, arbitrary: fc.constant('NOERROR') },
  fc.constantFrom('NXDOMAIN', 'REFUSED', 'SERVFAIL', 'BADVERS', 'RCODE17', 'RCODE4095'),
);

const replies: fc.Arbitrary<Said> = fc.record({
  kind: fc.constant('reply' as const),
  rcode: rcodes,
  flags,
  answer: sections,
  authority: sections,
  additional: sections,
});

/** NS records of one zone for one to four servers, with or without glue. */
const referrals: fc.Arbitrary<Said> = fc
  .record({
    zone: pointed,
    servers: fc.array(
      fc.record({
        name: pointed,
        glue: fc.array(fc.oneof(address('A'), address('AAAA')), { maxLength: 2 }),
        times,
      }),
      { minLength: 1, maxLength: 4 },
    ),
    flags: fc.oneof(fc.constant<Flag[]>([]), flags),
    more: fc.oneof({ weight: 6, arbitrary: fc.constant<Told[]>([]) }, sections),
  })
  .map(({ zone, servers, flags, more }) => ({
    kind: 'reply' as const,
    rcode: 'NOERROR',
    flags,
    answer: [],
    authority: [
      ...servers.map(({ name, times }) => ({
        ...{ owner: zone, type: 'NS', data: { name }, class: 'IN', ttl: 300, times },
      })),
      ...more,
    ],
    additional: servers.flatMap(({ name, glue }) => glue.map((one) => ({ ...one, owner: name }))),
  }));

const answers: fc.Arbitrary<Said> = fc
  .tuple(
    fc.array(fc.oneof(v4, v6), { minLength: 1, maxLength: 3 }),
    fc.constantFrom<readonly Flag[]>(['aa'], []),
  )
  .map(([addresses, flags]) => ({
    kind: 'reply' as const,
    rcode: 'NOERROR',
    flags,
    answer: addresses.map((text) => {
      const type = text.includes(':') ? 'AAAA' : 'A';
      const data = { octets: encodeRdata(type, text, ROOT) };
      return { owner: { keep: ALL, below: [] }, type, data, class: 'IN', ttl: 300, times: 1 };
    }),
    authority: [],
    additional: [],
  }));

/** As many labels as the name asked has. */
const ALL = 127;

/** One alias from the name asked on, or several that may lead to each other. */
const aliases: fc.Arbitrary<Said> = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom('CNAME', 'CNAME', 'DNAME'), pointed, pointed), { maxLength: 4 }),
    pointed,
    sections,
  )
  .map(([links, first, more]) => {
    const record = (type: string, owner: Pointed, name: Pointed) =>
      ({ owner, type, data: { name }, class: 'IN', ttl: 300, times: 1 }) as const;
    return {
      kind: 'reply' as const,
      rcode: 'NOERROR',
      flags: ['aa'],
      answer: [
        record('CNAME', { keep: ALL, below: [] }, first),
        ...links.map(([type, from, to]) => record(type, from, to)),
        ...more,
      ],
      authority: [],
      additional: [],
    };
  });

const failures: fc.Arbitrary<Said> = fc.record({
  kind: fc.constantFrom('malformed' as const, 'unreachable' as const, 'timeout' as const),
  detail: fc.constantFrom('ECONNREFUSED', 'truncated over TCP', 'no route'),
});
