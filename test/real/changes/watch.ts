import { createSocket, type Socket } from 'node:dgram';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { chanceOf } from '../../../src/base/chance.ts';
import { decodeMessage } from '../../../src/dns/decode.ts';
import { encodeQuery } from '../../../src/dns/encode.ts';
import type { Message } from '../../../src/dns/message.ts';
import { DEFAULT_PROFILES, type ProfileName } from '../../../src/explore/profiles/profiles.ts';
import { trustAnchorOf } from '../../../src/lab/world.ts';
import { all, Cleanup } from '../daemon.ts';
import { HINTS } from '../lab-registries.ts';
import { type Calm, calmOf, startResolvers } from '../profiles/look-ups.ts';
import { type Copy, copyOf, USUAL_TTLS, worldOf } from './copies.ts';
import { changesServers, type Kind } from './kinds.ts';
import { type Said, saidOf, traverseAll } from './said.ts';
import { startSwitchedLab } from './switched-lab.ts';

/** How much is compared. */
interface Effort {
  /** Zones that change, for each kind and product. */
  readonly copies: number;
  /** How long users go on asking after the change. */
  readonly watchMs: number;
}

/** A kind of change: what the program says, and what users of each product got. */
export interface Watched {
  readonly kind: Kind;
  readonly said: Said;
  readonly chains: readonly Chain[];
}

/** The users of a zone at a resolver that was asked all the time. */
export interface Chain {
  readonly product: ProfileName;
  /** When one of them asks for the zone's own NS records; undefined: nobody does. */
  readonly asksNs: Late | undefined;
  /** In order. */
  readonly asked: readonly Ask[];
  /** Questions for other names of the zone. */
  readonly others: readonly Pick<Ask, 'atMs' | 'heardAtMs'>[];
}

/** What came of watching, and whether the machine was too busy for the resolvers. */
interface Comparison {
  readonly watched: readonly Watched[];
  readonly calm: Calm;
}

/** A user's question. Moments are milliseconds after the change. */
interface Ask {
  readonly atMs: number;
  /** Undefined: there was no reply, or not yet. */
  readonly heardAtMs: number | undefined;
  /** What the user got: "nxdomain", "nodata", "servfail", or data, in which "~" stands for the label of the zone. */
  readonly got: string | undefined;
}

/**
 * Changes zones, those of each kind at one moment, while users of each product ask for them twice a second. Needs port 53 on every
 * loopback address, and all of 127.0.0.0/8.
 */
export async function watchChanges(kinds: readonly Kind[], effort: Effort): Promise<Comparison> {
  const cleanup = new Cleanup();
  try {
    return await watch(kinds, effort, cleanup);
  } finally {
    await cleanup.run();
  }
}

async function watch(
  kinds: readonly Kind[],
  { copies, watchMs }: Effort,
  cleanup: Cleanup,
): Promise<Comparison> {
  const nextAddress = addresses();
  const specimens = kinds.map((kind, i) => copyOf(kind, `k${i}-said`, nextAddress));
  const zones = kinds.flatMap((kind, i) =>
    DEFAULT_PROFILES.flatMap((product) =>
      Array.from({ length: copies }, (_, n) => ({
        product,
        asksNs:
          changesServers(kind) && (kind.asksNs || n % 2 === 0) ? LATE[(n >> 1) % LATE.length] : undefined,
        copy: copyOf(kind, `k${i}-${product}-${n}`, nextAddress),
      })),
    ),
  );
  const every = [...specimens, ...zones.map(({ copy }) => copy)];
  const worlds = [worldOf(every, 'before'), worldOf(every, 'after')] as const;
  const lab = await startSwitchedLab(worlds, cleanup);
  const anchor = trustAnchorOf(worlds[0]).replaceAll(/^\. \d+ IN/gm, '. IN');
  const files = await labFiles(anchor);
  const addressOf = await startResolvers(DEFAULT_PROFILES, { hints: HINTS, anchor }, cleanup);
  const before = await traverseAll(specimens, files);
  const users = new Map(DEFAULT_PROFILES.map((product) => [product, new Users(addressOf(product), cleanup)]));
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  const filled = performance.now() + FILL_MS;
  const chains = await all(
    kinds.map(async (kind, i) => {
      const changeAt = filled + i * APART_MS;
      const own = zones.filter(({ copy }) => copy.kind === kind);
      const asking = own.map(async ({ product, copy, asksNs }) => ({
        product,
        copy,
        asksNs,
        ...(await askAllTheTime(copy, users.get(product), { changeAt, until: changeAt + watchMs, asksNs })),
      }));
      await delay(changeAt - performance.now());
      lab.change([`k${i}-said`, ...own.map(({ copy }) => copy.label)]);
      const changedAt = performance.now();
      return (await all(asking)).map(({ copy, asked, others, ...chain }) => ({
        ...chain,
        asked: asked.map((one) => askOf(one, copy, changedAt)),
        others: others.map((one) => askOf(one, copy, changedAt)),
      }));
    }),
  );
  const calm = calmOf(delays);
  const after = await traverseAll(specimens, files);
  const watched = kinds.map((kind, i) => ({ kind, said: saidOfKind(i), chains: chains[i] ?? [] }));
  return { watched, calm };

  function saidOfKind(i: number): Said {
    const [specimen, old, changed] = [specimens[i], before[i], after[i]];
    if (specimen === undefined || old === undefined || changed === undefined)
      throw new Error(`kind ${i} was not traversed`);
    return saidOf(specimen, old, changed);
  }
}

async function labFiles(anchor: string) {
  const directory = await mkdtemp(join(tmpdir(), 'svc-changes-'));
  const [hints, anchors] = [join(directory, 'root.hints'), join(directory, 'root.anchors')];
  await writeFile(hints, HINTS);
  await writeFile(anchors, anchor);
  return { directory, hints, ...(anchor !== '' && { anchors }) };
}

/** All caches are filled, and those of most zones have been filled again. */
const FILL_MS = 15_000;

/** Between the changes of two kinds, so that the resolvers have time. */
const APART_MS = 1_000;

/** Each zone is first asked for so long before the change, at most and at least. */
const [FIRST_MS, LAST_MS] = [14_000, 300];

const ASK_EVERY_MS = 500;
const OTHER_NAMES_EVERY_MS = 1_000;

interface Period {
  readonly changeAt: number;
  readonly until: number;
  readonly asksNs: Late | undefined;
}

/** Asks for the name, and for other names of a zone that changes its servers: so resolvers use its NS records all the time. */
async function askAllTheTime(
  { kind, label, name }: Copy,
  users: Users | undefined,
  { changeAt, until, asksNs }: Period,
): Promise<{ readonly asked: readonly Asked[]; readonly others: readonly Asked[] }> {
  if (users === undefined) throw new Error(`nobody asks for ${name}`);
  const start =
    changeAt - LAST_MS - (asksNs === undefined ? FIRST_MS - LAST_MS : 0) * chanceOf(`first ${label}`);
  const from =
    asksNs === undefined
      ? start + (changeAt - start) * chanceOf(`then ${label}`)
      : start + asksNs.nameAfterMs;
  const [asked, others]: [Asked[], Asked[]] = [[], []];
  const askName = async () => {
    for (let at = from; at < until; at += ASK_EVERY_MS) {
      await delay(at - performance.now());
      asked.push(users.ask(name, kind.asks.type));
    }
  };
  const askOthers = async () => {
    for (let at = start, n = 0; at < until; at += OTHER_NAMES_EVERY_MS, n += 1) {
      await delay(at - performance.now());
      others.push(users.ask(`n${n}.busy.${label}.test.`, 'A'));
    }
  };
  const askNs = async ({ beforeMs }: Late) => {
    const { ttl: { parent = USUAL_TTLS.parent } = {} } = kind.before;
    await delay(start + parent * 1_000 - beforeMs - performance.now());
    others.push(users.ask(`${label}.test.`, 'NS'));
  };
  const servers = changesServers(kind) ? [askOthers()] : [];
  await Promise.all([askName(), ...servers, ...(asksNs === undefined ? [] : [askNs(asksNs)])]);
  return { asked, others };
}

/** How users of a zone ask whose NS records were got just before the change. */
interface Late {
  /**
   * The zone's own NS records are asked for so long before those of the parent expire. BIND, which counts in seconds, keeps
   * them for their whole TTL if they come later than that, and a busy machine can be late.
   */
  readonly beforeMs: number;
  /** The name is asked for so long after the first question: so a later copy is made shortly before NS records expire. */
  readonly nameAfterMs: number;
}

/** In turn. */
const LATE: readonly Late[] = [
  { beforeMs: 1_600, nameAfterMs: 4_500 },
  { beforeMs: 2_000, nameAfterMs: 5_500 },
  { beforeMs: 1_600, nameAfterMs: 2_500 },
];

/** A question, and its reply once it came. */
interface Asked {
  readonly at: number;
  readonly type: string;
  heard?: { readonly at: number; readonly reply: Message };
}

/** The users of a resolver: questions from one socket, which nobody asks again. */
class Users {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, Asked>();
  #id = 0;

  constructor(address: string, cleanup: Cleanup) {
    this.#socket = createSocket({ type: 'udp4', recvBufferSize: 1 << 20 });
    this.#socket.on('message', (octets) => {
      const reply = decodeMessage(octets);
      const asked = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      if (asked !== undefined) asked.heard = { at: performance.now(), reply };
    });
    this.#socket.connect(53, address);
    cleanup.add(async () => {
      this.#socket.close();
    });
  }

  ask(name: string, type: string): Asked {
    this.#id = (this.#id + 1) % IDS;
    const asked = { at: performance.now(), type };
    this.#waiting.set(this.#id, asked);
    this.#socket.send(encodeQuery({ id: this.#id, nameAsSent: name, type, flags: ['rd', 'ad'] }));
    return asked;
  }
}

const IDS = 65_536;

function askOf({ at, type, heard }: Asked, { label }: Copy, changedAt: number): Ask {
  return {
    atMs: at - changedAt,
    heardAtMs: heard && heard.at - changedAt,
    got: heard && gotIn(heard.reply, type).replaceAll(label, '~'),
  };
}

function gotIn({ rcode, answer }: Message, type: string): string {
  if (rcode === 'NXDOMAIN') return 'nxdomain';
  if (rcode !== 'NOERROR') return 'servfail';
  const data = answer.filter((record) => record.type === type).map((record) => record.data);
  return data.length === 0 ? 'nodata' : data.sort().join(' ');
}

function addresses(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `127.${64 + (count >> 16)}.${(count >> 8) & 0xff}.${count & 0xff}`;
  };
}
