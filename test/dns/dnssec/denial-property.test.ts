/** All the NSEC or NSEC3 records of random zones prove what is so in the zone, and nothing else. */
import { createHash } from 'node:crypto';
import t from 'tap';
import { toBase32hex } from '../../../src/base/encodings.ts';
import type { Claim, Lack, Verdict, ZoneFacts } from '../../../src/dns/dnssec/verdict.ts';
import { nameToWire, parseName } from '../../../src/dns/name.ts';
import { pick, randomFrom } from '../../evaluate/random-world.ts';
import { NOW, signingZone } from './signing.ts';
import { validationAt, verdictOn, verdictText } from './verdicts.ts';

const ZONES = 20;
const QUESTIONS = 25;
/** One question in so many is also put to some of the records only. */
const FEW = 5;
const APEX = 'z.';
const ZONE = signingZone('z', 15);
const LABELS = ['a', 'b', 'c', '*'];

/** An NSEC3 record's owner. */
const HASHED = /^[0-9a-v]{32}\./;

const LACKS = [
  'no-record',
  'not-covered',
  'exists',
  'not-matched',
  'has-type',
  'other-side',
  'no-cut',
  'ends-authority',
  'nearer-name',
  'no-opt-out',
] as const satisfies readonly Lack['kind'][];

/** Types by owner. NS below the apex is a zone cut. */
type Zone = ReadonlyMap<string, ReadonlySet<string>>;

/** What the zone says of a name and a type. */
type Truth = 'answer' | 'nodata' | 'nxdomain' | 'secure cut' | 'unsigned cut' | `made by ${string}`;

t.test(`proofs in ${ZONES} random zones`, async (t) => {
  const seen = new Map<string, number>();
  const lacks = new Map<string, number>();
  for (let seed = 1; seed <= ZONES; seed += 1) {
    const random = randomFrom(`denial ${seed}`);
    const zone = randomZone(random);
    for (const [kind, proof] of [
      ['NSEC', nsecs(zone)],
      ['NSEC3', nsec3s(zone)],
    ] as const) {
      const validation = validationAt(NOW);
      for (let n = 0; n < QUESTIONS; n += 1) {
        const name = randomName(random, 4);
        const type = pick(random, ['A', 'A', 'MX', 'DS', 'NS']);
        const truth = truthOf(zone, name, type);
        seen.set(truth.split(' ')[0] ?? '', (seen.get(truth.split(' ')[0] ?? '') ?? 0) + 1);
        for (const [says, claim, answer, isSo] of claimsOn(zone, name, type, truth)) {
          const judge = (authority: string) =>
            verdictOn(
              `${name} ${type}`,
              { claim, answer, authority },
              ZONE.keys,
              validation,
              noCutsAbove(name),
            );
          const whole = judge(proof);
          const verdict = verdictText(whole);
          const isProven = verdict.startsWith('secure');
          if (isProven !== isSo)
            t.fail(`zone ${seed}, ${kind}: ${name} ${type} is ${truth}; ${says}: ${verdict}`, {
              zone: spelled(zone),
            });
          const some =
            n % FEW === 0
              ? [
                  blocks(proof)
                    .filter(() => random() < 0.6)
                    .join(''),
                ]
              : [];
          for (const authority of [proof, ...some]) {
            const isWhole = authority === proof;
            const given = isWhole ? whole : judge(authority);
            const lack = lackIn(given);
            lacks.set(`${lack?.kind}`, (lacks.get(`${lack?.kind}`) ?? 0) + 1);
            if ((lack === undefined) !== (given.kind === 'good') || !isTrue(zone, lack, authority, isWhole))
              t.fail(`zone ${seed}, ${kind}: ${name} ${type}; ${says}: lacks ${JSON.stringify(lack)}`, {
                zone: spelled(zone),
                authority,
              });
          }
        }
      }
    }
  }
  for (const truth of ['answer', 'nodata', 'nxdomain', 'secure', 'unsigned', 'made'])
    t.ok((seen.get(truth) ?? 0) > 20, `questions come to ${truth} often enough`, { seen: seen.get(truth) });
  for (const kind of LACKS) t.ok(lacks.has(kind), `some proof lacks this: ${kind}`);
});

/** DS questions found nothing, which matters to replies that nobody signed. */
function noCutsAbove(name: string): ZoneFacts {
  const names = [name, ...ancestors(name)];
  return { cuts: new Map(names.map((one) => [parseName(one), { kind: 'no-cut' }])), keys: new Map() };
}

/** Each record with its signature. */
function blocks(proof: string): readonly string[] {
  return proof.split(/(?<=300 RRSIG .*\n)/);
}

function lackIn(verdict: Verdict): Lack | undefined {
  return verdict.kind === 'bogus' || verdict.kind === 'unproven' ? verdict.lack : undefined;
}

/** Whether the zone, or the records that were sent, are as a lack says. */
function isTrue(zone: Zone, lack: Lack | undefined, authority: string, isWhole: boolean): boolean {
  switch (lack?.kind) {
    case undefined:
      return true;
    case 'no-record':
      return authority === '';
    case 'not-covered':
      return !isWhole && !recordsIn(authority).some((record) => isWithin(lack.name, record));
    case 'exists':
      return exists(zone, lack.name);
    case 'not-matched':
      return lack.of === 'closest-encloser'
        ? !isWhole
        : !recordsIn(authority).some(({ owner }) => owner === ownerFor(lack.name, owner));
    case 'has-type':
      return lack.type === 'ANY' || zone.get(lack.name)?.has(lack.type) === true;
    case 'other-side':
      return zone.get(lack.name)?.has('SOA') === (lack.side === 'child');
    case 'no-cut':
      return zone.get(lack.name)?.has('NS') !== true;
    case 'ends-authority':
      return lack.name !== APEX && zone.get(lack.name)?.has('NS') === true;
    case 'nearer-name':
      return exists(zone, lack.name) && lack.name !== lack.wildcard.slice(2);
    case 'no-opt-out':
      return !exists(zone, lack.name) && recordsIn(authority).some((record) => isWithin(lack.name, record));
  }
}

interface Range {
  readonly owner: string;
  readonly next: string;
}

/** From what name, or hash below the apex, to what other one each record goes. */
function recordsIn(authority: string): readonly Range[] {
  return blocks(authority).flatMap((block) => {
    const [owner = '', , type, ...data] = block.split(/\s+/);
    if (type === 'NSEC') return [{ owner, next: data[0] ?? '' }];
    return type === 'NSEC3' ? [{ owner, next: `${data[4]}.${APEX}` }] : [];
  });
}

/** The owner of a name's record beside another one: the name, or its hash. */
function ownerFor(name: string, other: string): string {
  return HASHED.test(other) ? `${hashOf(name)}.${APEX}` : name;
}

function isWithin(name: string, { owner, next }: Range): boolean {
  const [at, from, to] = [ownerFor(name, owner), owner, next].map((one) => one.split('.').reverse());
  if (at === undefined || from === undefined || to === undefined) return false;
  const [isAfter, isBefore] = [compareLists(at, from) > 0, compareLists(at, to) < 0];
  return compareLists(from, to) < 0 ? isAfter && isBefore : isAfter || (HASHED.test(owner) && isBefore);
}

/** What servers may claim, with whatever records go with it, and whether it is so. */
function claimsOn(
  zone: Zone,
  name: string,
  type: string,
  truth: Truth,
): (readonly [string, Claim, string, boolean])[] {
  const to = { kind: 'referral', to: parseName(name) } as const;
  const cut = cutAbove(zone, name);
  // Nobody has a signature of a wildcard that the zone does not have.
  const wildcards = ancestors(name)
    .map((above) => `*.${above}`)
    .filter((wildcard) => type === 'MX' && zone.get(wildcard)?.has('MX'));
  return [
    ['said not to exist', { kind: 'nxdomain' }, '', truth === 'nxdomain'],
    ['said to have no such type', { kind: 'nodata' }, '', truth === 'nodata'],
    ...(name === APEX
      ? []
      : [
          [
            'said to be an unsigned cut',
            to,
            '',
            cut === name && zone.get(name)?.has('DS') === false,
          ] as const,
        ]),
    ...wildcards.map((wildcard) => {
      const rrset = `${name} 300 MX 1 x.`;
      const claim = { kind: 'answer', links: [] } as const;
      const isSo = name === wildcard || wildcardFor(zone, name) === wildcard;
      return [`said to be made by ${wildcard}`, claim, ZONE.sign(rrset, { wildcard }), isSo] as const;
    }),
  ];
}

function randomZone(random: () => number): Zone {
  const zone = new Map<string, ReadonlySet<string>>([[APEX, new Set(['NS', 'SOA', 'DNSKEY'])]]);
  const owners = Array.from({ length: 1 + Math.floor(random() * 6) }, () => randomName(random, 3));
  for (const owner of owners) {
    if (owner === APEX) continue;
    const dice = random();
    const isCut = dice < 0.3 && !owner.includes('*');
    zone.set(
      owner,
      new Set(isCut ? (dice < 0.15 ? ['NS', 'DS'] : ['NS']) : random() < 0.5 ? ['A'] : ['A', 'MX']),
    );
  }
  // What is below a cut belongs to another zone.
  return new Map([...zone].filter(([owner]) => [undefined, owner].includes(cutAbove(zone, owner))));
}

function randomName(random: () => number, most: number): string {
  const labels = Array.from({ length: Math.floor(random() * (most + 1)) }, () => pick(random, LABELS));
  return [...labels, APEX].join('.');
}

/** The names above, the nearest first, up to the apex. */
function ancestors(name: string): readonly string[] {
  if (name === APEX) return [];
  const above = name.slice(name.indexOf('.') + 1);
  return [above, ...ancestors(above)];
}

/** The zone cut nearest to the apex that is the name or above it. */
function cutAbove(zone: Zone, name: string): string | undefined {
  const isCut = (one: string) => one !== APEX && zone.get(one)?.has('NS') === true;
  return [name, ...ancestors(name)].filter(isCut).at(-1);
}

function exists(zone: Zone, name: string): boolean {
  return [...zone.keys()].some((owner) => owner === name || owner.endsWith(`.${name}`));
}

/** RFC 4592 3.3.1: the wildcard at the closest encloser, if the name does not exist. */
function wildcardFor(zone: Zone, name: string): string | undefined {
  if (exists(zone, name) || cutAbove(zone, name) !== undefined) return undefined;
  const encloser = ancestors(name).find((one) => exists(zone, one));
  return encloser === undefined ? undefined : `*.${encloser}`;
}

function truthOf(zone: Zone, name: string, type: string): Truth {
  const cut = cutAbove(zone, name);
  if (cut !== undefined && !(cut === name && type === 'DS'))
    return zone.get(cut)?.has('DS') ? 'secure cut' : 'unsigned cut';
  if (name === APEX && type === 'DS') return 'answer';
  if (exists(zone, name)) return zone.get(name)?.has(type) ? 'answer' : 'nodata';
  const wildcard = wildcardFor(zone, name);
  if (wildcard === undefined || !exists(zone, wildcard)) return 'nxdomain';
  return zone.get(wildcard)?.has(type) ? `made by ${wildcard}` : 'nodata';
}

function nsecs(zone: Zone): string {
  const key = (name: string) => name.split('.').reverse();
  const owners = [...zone.keys()].sort((a, b) => compareLists(key(a), key(b)));
  return owners
    .map((owner, at) => {
      const next = owners[at + 1] ?? APEX;
      return ZONE.sign(
        `${owner} 300 NSEC ${next} ${[...(zone.get(owner) ?? []), 'RRSIG', 'NSEC'].join(' ')}`,
      );
    })
    .join('');
}

function compareLists(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((label, index) => label !== b[index]);
  if (at === -1) return a.length - b.length;
  const other = b[at];
  return other === undefined || (a[at] ?? '') > other ? 1 : -1;
}

/** RFC 5155 7.1: for every name that exists, those without records too. */
function nsec3s(zone: Zone): string {
  const names = new Set([...zone.keys()].flatMap((owner) => [owner, ...ancestors(owner)]));
  const hashed = [...names].map((name) => ({ hash: hashOf(name), types: [...(zone.get(name) ?? [])] }));
  hashed.sort((a, b) => (a.hash < b.hash ? -1 : 1));
  return hashed
    .map(({ hash, types }, at) => {
      const next = hashed[(at + 1) % hashed.length]?.hash;
      return ZONE.sign(`${hash}.${APEX} 300 NSEC3 1 0 1 ab ${next} ${types.join(' ')}`);
    })
    .join('');
}

function hashOf(name: string): string {
  const salt = Uint8Array.of(0xab);
  const once = createHash('sha1')
    .update(nameToWire(parseName(name)))
    .update(salt)
    .digest();
  return toBase32hex(createHash('sha1').update(once).update(salt).digest());
}

function spelled(zone: Zone): readonly string[] {
  return [...zone].map(([owner, types]) => `${owner} ${[...types].join(' ')}`);
}
