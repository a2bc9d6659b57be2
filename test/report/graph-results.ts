import { readdirSync, readFileSync } from 'node:fs';
import { type Name, parseName } from '../../src/dns/name.ts';
import { DEFAULT_OPTIONS, type TraversalOptions } from '../../src/document/options.ts';
import { readResult } from '../../src/document/read-result.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import { delegationOf } from '../../src/explore/delegation.ts';
import { renderText } from '../../src/report/result-text.ts';
import { conclusionOf } from '../../src/report/views/conclusion.ts';
import type { PlannedName, PlanReport } from '../../src/report/views/plan-report.ts';
import { replay } from '../../src/traversal/node-replay.ts';
import { traverse } from '../../src/traversal/traverse.ts';
import { exchangeOf, type Said, type World } from '../evaluate/random-world.ts';

const SAVED = new URL('../fixtures/text/', import.meta.url);

/** The names of the saved results. */
export const savedNames: readonly string[] = readdirSync(SAVED)
  .filter((file) => file.endsWith('.json') && file !== 'cases.json')
  .map((file) => file.replace('.json', ''));

/** A saved result, evaluated again. */
export function savedResult(name: string): TraversalResult {
  return replay(readResult(JSON.parse(readFileSync(new URL(`${name}.json`, SAVED), 'utf8'))));
}

/** What its text says with `--explain`. */
export function explainedText(result: TraversalResult): string {
  return renderText(result, { colour: 'off', detail: 'terse', width: 80, ends: 'explained' });
}

/** What the traversal of a world comes to. */
export function resultIn(world: World, options: Partial<TraversalOptions> = {}): Promise<TraversalResult> {
  const { name, type, families, maxDepth } = world;
  const glue = new Map<Name, readonly string[]>(
    world.roots.map((server) => [parseName(server.name), server.addresses]),
  );
  return traverse(
    {
      question: { name: parseName(name), type },
      options: { ...DEFAULT_OPTIONS, views: ['resolver'], families, maxDepth, ...options },
      hints: delegationOf(parseName('.'), glue),
    },
    {
      exchange: async (query) => exchangeOf(world, query),
      emit: () => {},
      signal: new AbortController().signal,
    },
  );
}

/**
 * A world too large for a picture: the servers of `big.` each delegate `x.big.` to others, all of them
 * without glue; the first servers of each delegation cannot be found, the second ones all answer differently.
 */
export function largeWorld(width: number): World {
  const label = (at: number) => `${'n'.repeat(40)}${at}`;
  const numbers = Array.from({ length: width }, (_, at) => at);
  return {
    name: 'www.x.big.',
    type: 'A',
    families: [4],
    maxDepth: 20,
    roots: [{ name: 'r.', addresses: ['11.0.0.1'] }],
    takes: () => 1,
    says: (address, name) => {
      const at = Number(address.split('.')[3]);
      if (address.startsWith('13.')) return { kind: 'answer', data: [`14.0.0.${at}`] };
      const asked = /^.*n(\d+)\.(bad|good)\.$/.exec(name);
      if (asked !== null) {
        return asked[2] === 'bad' ? { kind: 'nxdomain' } : { kind: 'answer', data: [`13.0.0.${asked[1]}`] };
      }
      if (address === '11.0.0.1') {
        const servers = numbers.map((one) => ({ name: `${label(one)}.big.`, addresses: [`12.0.0.${one}`] }));
        return { kind: 'ns', zone: 'big.', servers };
      }
      const servers = ['bad', 'good'].map((zone) => ({ name: `${label(at)}.${zone}.`, addresses: [] }));
      return { kind: 'ns', zone: 'x.big.', servers };
    },
  };
}

/** A zone whose servers are named, without glue, under names that a registry or nobody knows. */
export function gluelessWorld(says: (name: string, at: number) => Said, servers: number): World {
  const names = Array.from({ length: servers }, (_, at) => `ns.dead${at}.`);
  return {
    name: 'www.x.',
    type: 'A',
    families: [4],
    maxDepth: 20,
    roots: [{ name: 'r.', addresses: ['11.0.0.1'] }],
    takes: () => 1,
    says: (_, name) =>
      name === 'www.x.'
        ? { kind: 'ns', zone: 'x.', servers: names.map((one) => ({ name: one, addresses: [] })) }
        : says(name, names.indexOf(name)),
  };
}

/** What breaks out of labels, if it can. */
export const ATTACK =
  '"];end\\n\\" <b>&lt;#quot;\n%%{init: {}}%%`*_a_*`|{}()[] fa:fa-ban http://www.a.b style x:#1; classDef a:b#1;\u001b[2J\u202e\\';

/** A result with the attack in all texts that come from servers. Names end as names do. */
export function hostile(value: TraversalResult): TraversalResult;
export function hostile(value: unknown, key?: string): unknown;
export function hostile(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return FROM_SERVERS.has(key) ? `${ATTACK}${value}${ATTACK}x.` : value;
  if (Array.isArray(value)) return value.map((item) => hostile(item, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, hostile(item, name)]));
}
const FROM_SERVERS = new Set([
  'name',
  'zone',
  'data',
  'address',
  'answer',
  'rcode',
  'failureDetail',
  'nameserver',
  'target',
]);

/** A name server of `x.`: its address, and what it says of `www.x.` */
export type Zone = Readonly<Record<string, Said>>;

/** A world in which the root refers to these servers of `x.`, named `ns1.x.` and so on. */
export function worldWith(servers: Zone): World {
  const [names, addresses] = [Object.keys(servers).map((_, at) => `ns${at + 1}.x.`), Object.keys(servers)];
  const delegated = names.map((name, at) => ({ name, addresses: addresses.slice(at, at + 1) }));
  return {
    name: 'www.x.',
    type: 'A',
    families: [4],
    maxDepth: 10,
    roots: [{ name: 'r.', addresses: ['11.0.0.1'] }],
    takes: () => 1,
    says: (address) => servers[address] ?? { kind: 'ns', zone: 'x.', servers: delegated },
  };
}

/** A server that gives this address. */
export function answers(...data: readonly string[]): Said {
  return { kind: 'answer', data };
}

/** The report of a plan with which names come to these results; what changes is not looked at, as hostile names are none. */
export function planReportOf(results: readonly TraversalResult[]): PlanReport {
  const names = results.map((result): PlannedName => {
    const { query, startedAt, finishedAt, findings } = result;
    const conclusion = conclusionOf(result);
    const nothing = { gone: [], new: [] };
    return {
      ...{ query, startedAt, finishedAt, findings, todayFindings: [], notChecked: [] },
      ...{ today: conclusion, planned: conclusion, change: conclusion.verdict.text },
      comparison: { query, views: {}, findings: nothing, servers: nothing, same: true },
    };
  });
  return { zones: [], names, leftOut: 0, isOfFiles: false, files: [] };
}
