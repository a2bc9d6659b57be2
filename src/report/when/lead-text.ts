import type { CopyRow, LeadRow, Times } from '../../document/when.ts';
import { grouped, listed } from '../../document/words/lists.ts';
import { durationWords, momentWords } from '../../document/words/moments.ts';
import { asked, plain } from '../../document/words/names.ts';
import type { TextLook } from '../plain-text.ts';
import { type Cell, LONGEST_ALIGNED, type Rows } from '../text/table.ts';
import { copyWords } from './held.ts';
import { productWords } from './moves.ts';

/** The look of the times, and which details they have. */
export interface TimesLook extends TextLook {
  /** Whether to print the TTLs that add up to each time, and the servers that give them. */
  readonly sums: 'shown' | 'hidden';
  /** The file of the result that a plan is compared with; absent: the plan is compared with the answers of today. */
  readonly baseline?: string;
  readonly now: Date;
  /** Absent: the local one. */
  readonly timeZone?: string;
}

/** How long each kind of change would take, then the steps of changes that take several. */
export function leadBlocks(times: Times, look: TimesLook): readonly Rows[] {
  return [leadRows(times, look), ...times.lead.map((row) => stepRows(row, look))];
}

/** A row for each kind of change; below it a row for each group of products, if products differ. */
function leadRows(times: Times, look: TimesLook): Rows {
  if (times.lead.length === 0) return [];
  const heads = ['', 'last user', 'half of users', 'if changed now, until'];
  return [
    heads.map((text) => ({ text, style: 'faint' })),
    ...times.lead.flatMap((row) => {
      const alike = grouped(row.profiles, (time) => `${longestWords(time, look)} ${time.halfMs}`);
      const [worst] = [...row.profiles].sort((a, b) => lengthOf(b) - lengthOf(a));
      if (worst === undefined) return [];
      const apart = alike.length === 1 ? [] : alike;
      return [
        ...leadRow({ text: changeWords(row), style: 'strong' }, worst, times, look),
        ...(apart.length === 0 ? timeSum(worst, look) : []),
        ...apart.flatMap((same) => [
          ...leadRow({ text: `  ${productWords(same.map(({ name }) => name))}` }, same[0], times, look),
          ...timeSum(same[0], look),
        ]),
      ];
    }),
  ];
}

type ProfileTime = LeadRow['profiles'][number];

function lengthOf({ lastMs }: ProfileTime): number {
  return lastMs ?? Number.POSITIVE_INFINITY;
}

function leadRow(head: Cell, time: ProfileTime, { at }: Pick<Times, 'at'>, look: TimesLook): Rows {
  const cells = timeCells(time, at, look);
  return head.text.length > LONGEST_ALIGNED ? [[head], [{ text: '' }, ...cells]] : [[head, ...cells]];
}

function timeCells(time: ProfileTime, at: string, look: TimesLook): readonly Cell[] {
  const { lastMs, halfMs } = time;
  if (lastMs === null || halfMs === null) return [{ text: longestWords(time, look) }];
  const { now, timeZone } = look;
  const until = new Date(Date.parse(at) + lastMs);
  return [
    { text: longestWords(time, look) },
    { text: durationWords(halfMs) },
    { text: momentWords(until, now, timeZone), style: 'faint' },
  ];
}

/**
 * A time in words; a long one without the seconds that resolvers add to TTLs, which matter only to whoever adds them up.
 * Null: no time, as the old servers give the old records as long as they answer.
 */
export function longestWords(
  { lastMs, why }: Pick<ProfileTime, 'lastMs' | 'why'>,
  { sums }: Pick<TimesLook, 'sums'>,
): string {
  if (lastMs === null) return 'never while the old servers answer';
  if (sums === 'shown' || lastMs < ROUND_MS) return durationWords(lastMs);
  const given = why.map(({ ttl, ttls }) => Math.min(ttl, Math.max(...ttls.map((one) => one.ttl))));
  return durationWords(1_000 * given.reduce((sum, ttl) => sum + ttl, 0));
}

const ROUND_MS = 60_000;

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

function timeSum({ lastMs, why }: ProfileTime, look: TimesLook): Rows {
  return lastMs === null ? renewalRows(why, look) : sumRows({ why }, look);
}

/** Why a time has no end, so that no sum explains it. */
export function renewalRows(why: ProfileTime['why'], { sums }: Pick<TimesLook, 'sums'>): Rows {
  if (sums === 'hidden') return [];
  const own = why.filter(({ kind }) => kind === 'own').map(copyWords);
  return [[{ text: `    each answer brings ${listed(own)} along, which renews them`, style: 'faint' }]];
}

/** The sum that makes a time: a row for each TTL, with the servers that give it. */
export function sumRows({ why }: Pick<ProfileTime, 'why'>, { sums }: Pick<TimesLook, 'sums'>): Rows {
  if (sums === 'hidden') return [];
  return why.map((copy, at) => [
    { text: `    ${at === 0 ? '  ' : '+ '}${keptWords(copy)}:`, style: 'faint' },
    { text: givenWords(copy), style: 'faint' },
  ]);
}

/** "5 minutes 1 second" */
function keptWords({ ttl }: CopyRow): string {
  return durationWords((ttl + 1) * 1_000);
}

/** "www.example.com A (TTL 300, from ns1.example.com (192.0.2.1))" */
function givenWords(copy: CopyRow): string {
  const { ttl, ttls } = copy;
  const from = ttls.find((given) => given.ttl >= ttl) ?? ttls[0];
  const cut = from !== undefined && from.ttl > ttl ? `, cut from ${durationWords(from.ttl * 1_000)}` : '';
  const given = from !== undefined && from.ttl < ttl ? `${from.ttl}, kept for up to ${ttl} seconds` : ttl;
  const servers = from === undefined ? '' : `, from ${listed(from.servers, SERVERS_NAMED)}`;
  return `${copyWords(copy)} (TTL ${given}${cut}${servers})`;
}

const SERVERS_NAMED = 3;

function stepRows({ steps = [], ...row }: LeadRow, look: TimesLook): Rows {
  if (steps.length === 0) return [];
  return [
    [{ text: `${changeWords(row)}, in this order`, style: 'strong' }],
    ...steps.flatMap((step, at) => [
      [{ text: `${at + 1}.`, align: 'right' } as const, { text: stepWords(step) }],
      ...(look.sums === 'hidden' ? [] : step.why.map(stepSum)),
    ]),
  ];
}

function stepSum(copy: CopyRow, at: number): readonly Cell[] {
  const words = `${at === 0 ? '' : '+ '}${keptWords(copy)}: ${givenWords(copy)}`;
  return [{ text: '' }, { text: words, style: 'faint' }];
}

/** "change the NS records at the parent; then wait 10 minutes 2 seconds": no wait is rounded down. */
export function stepWords({ action, waitMs }: NonNullable<LeadRow['steps']>[number]): string {
  return waitMs === 0 ? action : `${action}; then wait ${durationWords(waitMs)}`;
}
