import { parseName } from '../../src/dns/name.ts';
import type { ResourceRecord } from '../../src/dns/record.ts';
import { DEFAULT_OPTIONS, type TraversalOptions } from '../../src/document/options.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import type { Exchanged } from '../../src/exchange/exchanged.ts';
import { delegationOf } from '../../src/explore/delegation.ts';
import { trustAnchorOf, type World } from '../../src/lab/world.ts';
import { zoneText } from '../../src/lab/zone-text.ts';
import { traverse } from '../../src/traversal/traverse.ts';
import { labExchange } from '../lab/lab-exchange.ts';

/** What is different in a world. TTLs are seconds. */
export interface TimesWorld {
  /** The name servers of x.test, with their addresses: `{ ns1: '11.0.0.11' }`. */
  readonly servers?: Readonly<Record<string, string>>;
  /** The parent's NS records, those of the zone, and the data. */
  readonly p?: number;
  readonly c?: number;
  readonly m?: number;
  readonly glue?: number;
  /** The TTL of denials. */
  readonly negative?: number;
  /** Lines of the zone x.test beside its NS records and addresses; by a server's name, what it has instead. */
  readonly data?: string;
  readonly dataOf?: Readonly<Record<string, string>>;
  readonly signed?: World['signed'];
  /** Whether answers bring the NS records of the zone along. */
  readonly carries?: boolean;
  readonly ask?: string;
  /** Whether denials lack the SOA record. */
  readonly bare?: true;
  readonly options?: Partial<TraversalOptions>;
}

/** The lab of a world: the root, and x.test below it. */
function labOf(world: TimesWorld): World {
  const {
    servers = { ns1: '11.0.0.11' },
    p = 600,
    c = 4_000,
    m = 300,
    glue = p,
    negative = 60,
    signed,
  } = world;
  const { data = `www ${m} A 192.0.2.1`, dataOf = {} } = world;
  const hosts = Object.entries(servers);
  const delegation = hosts
    .map(([name, address]) => `x.test. ${p} NS ${name}.x.test.\n${name}.x.test. ${glue} A ${address}`)
    .join('\n');
  const own = hosts.map(([name, address]) => `@ ${c} NS ${name}\n${name} ${c} A ${address}`).join('\n');
  const root = zoneText('.', `@ NS r.\nr. A 11.0.0.1\n${delegation}`);
  return {
    servers: [
      { name: 'r', addresses: ['11.0.0.1'], zones: [root] },
      ...hosts.map(([name, address]) => ({
        name: `${name}.x.test`,
        addresses: [address],
        zones: [denyingFor(negative, zoneText('x.test.', `${own}\n${dataOf[name] ?? data}`))],
      })),
    ],
    ...(signed && { signed }),
  };
}

function denyingFor(seconds: number, zone: string): string {
  return zone.replace('@ SOA', `@ ${seconds} SOA`).replace('2w 1m', `2w ${seconds}`);
}

/** What the traversal of www.x.test in a world comes to. */
export async function timesResult(world: TimesWorld = {}): Promise<TraversalResult> {
  const lab = labOf(world);
  const [name = '', type = 'A'] = (world.ask ?? 'www.x.test. A').split(' ');
  const exchange = labExchange(lab);
  return await traverse(
    {
      question: { name: parseName(name), type },
      options: {
        ...DEFAULT_OPTIONS,
        profiles: ['bind', 'unbound', 'knot', 'powerdns'],
        families: [4],
        specialTargets: 'allowed',
        ...(world.signed === undefined
          ? { views: ['warm', 'profiles'] as const }
          : { trustAnchors: trustAnchorOf(lab).trim().split('\n') }),
        ...world.options,
      },
      hints: delegationOf(parseName('.'), new Map([[parseName('r.'), ['11.0.0.1']]])),
    },
    {
      exchange: async (query) => {
        const said = exchange(query);
        if (
          world.bare &&
          said.outcome.kind === 'reply' &&
          said.outcome.answer.length === 0 &&
          query.address !== '11.0.0.1'
        )
          return { ...said, outcome: { ...said.outcome, authority: [] } };
        return world.carries && query.address !== '11.0.0.1' ? carrying(said, world) : said;
      },
      emit: () => {},
      signal: new AbortController().signal,
    },
  );
}

/** The same reply, with the NS records of the zone beside what it answers. */
function carrying(said: Exchanged, { servers = { ns1: '' }, c = 4_000 }: TimesWorld): Exchanged {
  if (said.outcome.kind !== 'reply' || said.outcome.answer.length === 0) return said;
  const authority = Object.keys(servers).map(
    (name): ResourceRecord => ({
      name: parseName('x.test.'),
      type: 'NS',
      ttl: c,
      data: parseName(`${name}.x.test.`),
    }),
  );
  return { ...said, outcome: { ...said.outcome, authority } };
}
