import type { LeadRow, Times } from '../../document/when.ts';
import { grouped, listed } from '../../document/words/lists.ts';
import { durationWords, momentWords } from '../../document/words/moments.ts';
import { asked, plain } from '../../document/words/names.ts';
import type { TextLook } from '../result-text.ts';
import type { Cell, Rows } from '../text/table.ts';
import { copyWords } from './held.ts';
import { productWords } from './moves.ts';

/** The look of the times, and which details they have. */
export interface TimesLook extends TextLook {
  /** Whether to print the TTLs that add up to each time, and the servers that give them. */
  readonly sums: 'shown' | 'hidden';
  readonly now: Date;
  /** Absent: the local one. */
  readonly timeZone?: string;
}

/** How long each kind of change would take, then the steps of changes that take several. */
export function leadBlocks(times: Times, look: TimesLook): readonly Rows[] {
  return [leadRows(times, look), ...times.lead.map(stepRows)];
}

/** A row for each kind of change; below it a row for each group of products, if products differ. */
function leadRows(times: Times, look: TimesLook): Rows {
  if (times.lead.length === 0) return [];
  const heads = ['', 'last user', 'half of users', 'if changed now, until'];
  return [
    heads.map((text) => ({ text, style: 'faint' })),
    ...times.lead.flatMap((row) => {
      const alike = grouped(row.profiles, ({ lastMs, halfMs }) => `${lastMs} ${halfMs}`);
      const [worst] = [...row.profiles].sort((a, b) => lengthOf(b) - lengthOf(a));
      if (worst === undefined) return [];
      const apart = alike.length === 1 ? [] : alike;
      return [
        leadRow({ text: changeWords(row), style: 'strong' }, worst, times, look),
        ...(apart.length === 0 ? sumRows(worst, look) : []),
        ...apart.flatMap((same) => [
          leadRow({ text: `  ${productWords(same.map(({ name }) => name))}` }, same[0], times, look),
          ...sumRows(same[0], look),
        ]),
      ];
    }),
  ];
}

type ProfileTime = LeadRow['profiles'][number];

function lengthOf({ lastMs }: ProfileTime): number {
  return lastMs ?? Number.POSITIVE_INFINITY;
}

function leadRow(
  head: Cell,
  { lastMs, halfMs }: ProfileTime,
  { at }: Pick<Times, 'at'>,
  { now, timeZone }: TimesLook,
): readonly Cell[] {
  if (lastMs === null || halfMs === null) return [head, { text: 'never while the old servers answer' }];
  const until = new Date(Date.parse(at) + lastMs);
  return [
    head,
    { text: durationWords(lastMs) },
    { text: durationWords(halfMs) },
    { text: momentWords(until, now, timeZone), style: 'faint' },
  ];
}

/** A change as a noun phrase. */
export function changeWords({ change, rrset }: Pick<LeadRow, 'change' | 'rrset'>): string {
  const name = plain(rrset.name);
  switch (change) {
    case 'data':
      return `${asked(rrset)}, changed or removed`;
    case 'new-name':
      return rrset.type === 'SOA' ? `a new name in ${name}` : `${asked(rrset)}, added`;
    case 'nameservers':
      return `other name servers of ${name}`;
    case 'address':
      return `another address of ${name}`;
    case 'keys':
      return `new keys of ${name}`;
    case 'ds':
      return `new DS records of ${name}`;
  }
}

/** The sum that makes a time: a row for each TTL, with the servers that give it. */
export function sumRows({ why }: Pick<ProfileTime, 'why'>, { sums }: Pick<TimesLook, 'sums'>): Rows {
  if (sums === 'hidden') return [];
  return why.map((copy, at) => {
    const { ttl, ttls } = copy;
    const from = ttls.find((given) => given.ttl >= ttl) ?? ttls[0];
    const cut = from !== undefined && from.ttl > ttl ? `, cut from ${durationWords(from.ttl * 1_000)}` : '';
    const servers = from === undefined ? '' : `, from ${listed(from.servers, SERVERS_NAMED)}`;
    const plus = at === 0 ? '' : '+ ';
    const words = `    ${plus}${durationWords((ttl + 1) * 1_000)}: ${copyWords(copy)} (TTL ${ttl}${cut}${servers})`;
    return [{ text: words, style: 'faint' }];
  });
}

const SERVERS_NAMED = 3;

function stepRows({ steps = [], ...row }: LeadRow): Rows {
  if (steps.length === 0) return [];
  return [
    [{ text: `${changeWords(row)}, in this order`, style: 'strong' }],
    ...steps.map(({ action, waitMs }, at) => [
      { text: `${at + 1}.`, align: 'right' } as const,
      { text: waitMs === 0 ? action : `${action}; then wait ${durationWords(waitMs)}` },
    ]),
  ];
}
