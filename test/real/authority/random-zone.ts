import { drawingFrom } from '../../../src/base/chance.ts';

/** A zone made up of few names, so that they meet: wildcards, cuts, aliases, and whatever is below them. */
export interface RandomZone {
  readonly origin: string;
  /** A zone file, every name in full. */
  readonly text: string;
  readonly questions: readonly ZoneQuestion[];
}

/** A question about a name of the zone, or about one that it does not have. */
export interface ZoneQuestion {
  readonly name: string;
  readonly type: string;
}

const LABELS = ['a', 'b', 'c', 'd', '*', 'e'];
const TYPES = ['A', 'AAAA', 'TXT', 'MX', 'NS', 'DS', 'CNAME', 'DNAME', 'SOA', 'SRV'];

/** The zone of a number, the same in every run, with so many questions. */
export function randomZone(number: number, asked: number): RandomZone {
  const draw = drawingFrom(number);
  const below = (count: number) => Number(draw(BigInt(count)));
  const chance = (percent: number) => below(100) < percent;
  const origin = `z${number}.test.`;
  const name = () => `${Array.from({ length: 1 + below(3) }, () => pick(LABELS)).join('.')}.${origin}`;
  const pick = (from: readonly string[]) => from[below(from.length)] ?? '';
  const target = () =>
    chance(15) ? `${pick(['x', 'y'])}.elsewhere.invalid.` : name().replaceAll('*.', 'a.');
  const owners = new Set(Array.from({ length: 4 + below(14) }, name));
  const data = (owner: string): string[] => {
    const address = `A 192.0.2.${1 + below(250)}`;
    const others = [
      `TXT "${below(99)}"`,
      `MX 1 ${target()}`,
      `AAAA 2001:db8::${below(99)}`,
      'SRV 1 1 53 a.b.',
    ];
    const plain = [address, ...others.filter(() => chance(25))];
    if (owner.startsWith('*.')) return chance(25) ? [`CNAME ${target()}`] : plain;
    if (chance(22)) return [`CNAME ${target()}`];
    if (chance(10)) return [`DNAME ${target()}`, ...(chance(30) ? plain : [])];
    if (chance(25)) {
      const servers = Array.from(
        { length: 1 + below(2) },
        () => `NS ${chance(50) ? `ns.${owner}` : target()}`,
      );
      return [...new Set(servers), ...(chance(40) ? [`DS ${below(9999)} 13 2 ${'ab'.repeat(32)}`] : [])];
    }
    return plain;
  };
  const records = [...owners].flatMap((owner) => data(owner).map((one) => ({ owner, one })));
  const isDname = (owner: string) =>
    records.some((other) => other.owner === owner && other.one.startsWith('DNAME'));
  // Knot DNS and NSD refuse a zone with data below a DNAME.
  const kept = records.filter(({ owner }) => !above(owner, origin).some(isDname));
  const glue = kept.flatMap(({ owner, one }) =>
    one === `NS ns.${owner}` ? [{ owner: `ns.${owner}`, one: 'A 192.0.2.53' }] : [],
  );
  const apex = [
    `SOA ns1.${origin} host.${origin} 1 7200 900 1209600 ${chance(50) ? 60 : 7200}`,
    `NS ns1.${origin}`,
    'NS ns.elsewhere.invalid.',
    ...(chance(30) ? ['MX 1 a.b.'] : []),
  ].map((one) => ({ owner: origin, one }));
  const all = [...apex, { owner: `ns1.${origin}`, one: 'A 192.0.2.1' }, ...kept, ...glue];
  const lines = [...new Set(all.map(({ owner, one }) => `${owner} 3600 IN ${one}`))];
  const questions = Array.from({ length: asked }, () => {
    const known = pick([...owners, origin]);
    const about = chance(40) ? known : chance(50) ? `${pick(LABELS)}.${known}` : name();
    return { name: about, type: chance(50) ? 'A' : pick(TYPES) };
  });
  return { origin, text: `${lines.join('\n')}\n`, questions };
}

/** The names strictly between a name and its zone's apex. */
function above(owner: string, origin: string): readonly string[] {
  const labels = owner.slice(0, -origin.length - 1).split('.');
  return labels.slice(1).map((_, at) => `${labels.slice(at + 1).join('.')}.${origin}`);
}
