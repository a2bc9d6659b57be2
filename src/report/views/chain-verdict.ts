import { isAtOrBelow, labelCount, type Name } from '../../dns/name.ts';
import { grouped, listed } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';
import { reasonedWords } from '../../document/words/security-words.ts';
import type { ChainLink, ChainSide } from './chain.ts';
import type { Effect } from './effects.ts';

/** The chain in a few words: whether it holds, or where it breaks or ends. */
export function chainVerdict(links: readonly ChainLink[]): Pick<ChainSide, 'effect' | 'verdict'> {
  for (const effect of ['fails', 'differs', 'denies'] as const) {
    const link = links.find(({ sides }) => sides.some((side) => side.effect === effect));
    if (link !== undefined) return { effect, verdict: placeWords(link, effect) };
  }
  // Where others reply, a server that is silent breaks nothing.
  const unknown = links.find(({ sides }) => sides.every(({ effect }) => effect === 'unknown'));
  return unknown === undefined
    ? { effect: 'ends-well', verdict: 'secure from the root on' }
    : { effect: 'unknown', verdict: placeWords(unknown, 'unknown') };
}

/** "bogus at DNSKEY of example.com, from ns2.example.com.: the signature has expired" */
function placeWords({ zone, record, sides }: ChainLink, effect: Effect): string {
  const these = sides.filter((side) => side.effect === effect);
  const servers = these.length === sides.length ? [] : these.flatMap((side) => side.servers);
  const from = servers.length === 0 ? '' : `, from ${listed(servers)}`;
  const [{ verdict, reason } = { verdict: '', reason: '' }] = these;
  // What is below an insecure delegation is insecure, too.
  const place =
    effect === 'denies' && record === 'DS' ? `from ${plain(zone)} on` : `at ${record} of ${plain(zone)}`;
  return reasonedWords({ verdict: `${verdict} ${place}${from}`, reason });
}

/** The chain in the boxes of zones, in lines: at each zone its DS records, its keys and what it answers, each version by itself. */
export function zoneSecurity(links: readonly ChainLink[]): ReadonlyMap<Name, readonly string[]> {
  const zones = links.filter(({ record }) => OF_ZONES.has(record)).map(({ zone }) => zone);
  const deepestFirst = zones.sort((a, b) => labelCount(b) - labelCount(a));
  const said = links.flatMap((link) => {
    const zone = OF_ZONES.has(link.record)
      ? link.zone
      : deepestFirst.find((one) => isAtOrBelow(link.zone, one));
    const lines = link.sides.slice(0, MOST_SIDES).flatMap((side) => sideLines(link, side));
    return zone === undefined ? [] : [{ zone, lines }];
  });
  const inZones = grouped(said, ({ zone }) => zone);
  return new Map(inZones.map((alike) => [alike[0].zone, alike.flatMap(({ lines }) => lines)]));
}

/** Records about a zone itself, rather than data in it. */
const OF_ZONES: ReadonlySet<string> = new Set(['anchor', 'DS', 'DNSKEY']);

/** Versions of one statement, and lines of a version, that a box has room for. */
const [MOST_SIDES, MOST_LINES] = [3, 4];

/** "DNSKEY 61782 CSK ECDSAP256SHA256", "by 61782, 2026-09-01 to 2026-10-01", "from ns2.example.com.: bogus: the signature has expired" */
function sideLines({ record, sides }: ChainLink, side: ChainSide): readonly string[] {
  const { lines, servers, effect } = side;
  const [first = '', ...others] = lines.map(({ what }) => what).filter((what) => what !== '');
  const signatures = lines.flatMap(({ signature }) =>
    signature === undefined ? [] : `${signature.by}, ${signature.valid}`,
  );
  const from = servers.length === 0 ? '' : `from ${listed(servers, 1)}: `;
  return [
    ...shortList([`${record} ${first}`, ...others]),
    ...shortList([...new Set(signatures)]),
    ...(effect === 'leads-on' && sides.length === 1 ? [] : [`${from}${reasonedWords(side)}`]),
  ];
}

function shortList(lines: readonly string[]): readonly string[] {
  const more = lines.length - MOST_LINES;
  return more > 1 ? [...lines.slice(0, MOST_LINES), `and ${more} more`] : lines;
}
