import type { Name } from '../../dns/name.ts';
import { listed } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';
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
  return `${verdict} ${place}${from}${reason === '' ? '' : `: ${reason}`}`;
}

/** What the chain says of each zone, where there is room for a line: "key 20326 KSK RSASHA256 2048", "insecure". */
export function zoneSecurity(links: readonly ChainLink[]): ReadonlyMap<Name, string> {
  const said = links.flatMap((link): readonly (readonly [Name, string])[] => {
    const words =
      link.record === 'DNSKEY' ? keysWords(link) : link.record === 'DS' ? delegationWords(link) : '';
    return words === '' ? [] : [[link.zone, words]];
  });
  return new Map(said);
}

/** The key that signs the others, or why some server's keys are bogus. */
function keysWords({ sides }: ChainLink): string {
  const broken = sides.find(({ effect }) => effect === 'fails' || effect === 'differs');
  if (broken !== undefined) {
    const from = broken.servers.length === 0 ? '' : ` from ${listed(broken.servers, 1)}`;
    return `keys${from} ${verdictWords(broken)}`;
  }
  const good = sides.filter(({ effect }) => effect === 'leads-on');
  return listed([
    ...new Set(good.flatMap(({ lines: [first] }) => (first === undefined ? [] : `key ${first.what}`))),
  ]);
}

/** Keys say more of a delegation that is secure. */
function delegationWords({ sides }: ChainLink): string {
  const [other] = sides.filter(({ effect }) => effect !== 'leads-on' && effect !== 'unknown');
  if (other === undefined) return '';
  return other.effect === 'denies' ? verdictWords(other) : `DS ${verdictWords(other)}`;
}

function verdictWords({ verdict, reason }: Pick<ChainSide, 'verdict' | 'reason'>): string {
  return reason === '' ? verdict : `${verdict}: ${reason}`;
}
