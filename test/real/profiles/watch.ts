/*
 * Watches resolvers and prints what their profiles need: what each kind of reply leads to, in which order servers are
 * tried, how often and how long. Run it by `sh test/real/run.sh watch unbound bind`, as root.
 */
import { gotOf } from './cells.ts';
import {
  type AddressSpec,
  type FaultWorld,
  type Host,
  type NameServerSpec,
  TROUBLES,
  type Trouble,
} from './fault-world.ts';
import { type Asked, type LookedUp, lookUp } from './look-ups.ts';
import { SOFTWARE_NAMES, type SoftwareName } from './software.ts';

const named = SOFTWARE_NAMES.filter((name) => process.argv.includes(name));
const profiles = named.length > 0 ? named : SOFTWARE_NAMES;

/** A world with a caption. */
interface Scene {
  readonly caption: string;
  readonly world: FaultWorld;
}

const scopes = ['the whole name', 'minimised questions'] as const;
const reactions: readonly Scene[] = scopes.flatMap((scope) =>
  TROUBLES.filter((kind) => kind !== 'closed port' || scope === 'the whole name').flatMap((kind) => {
    const host = scope === 'the whole name' ? 'www' : 'www.x.y';
    const trouble = { kind, with: scope };
    return [
      {
        caption: `${kind} to ${scope}: one of two`,
        world: sceneOf(host, glue(at('stale', { trouble })), glue(at('fresh'))),
      },
      {
        caption: `${kind} to ${scope}: both`,
        world: sceneOf(host, glue(at('stale', { trouble })), glue(at('fresh', { trouble }))),
      },
    ];
  }),
);

const healthy = (...names: readonly NameServerSpec[]) => sceneOf('www', ...names);
const picks: readonly Scene[] = [
  { caption: '3 addresses of one name, 1 of another', world: healthy(glue(at(), at(), at()), glue(at())) },
  { caption: '1 with glue, 1 without', world: healthy(glue(at()), elsewhere(at())) },
  {
    caption: '1 with glue, 3 without',
    world: healthy(glue(at()), elsewhere(at()), elsewhere(at()), elsewhere(at())),
  },
  {
    caption: '3 addresses of one name, 1 of another, no glue',
    world: healthy(elsewhere(at(), at(), at()), elsewhere(at())),
  },
  {
    caption: '4 with glue, a name of 3 labels',
    world: sceneOf('www.x.y', glue(at()), glue(at()), glue(at()), glue(at())),
  },
];

const refusing = at('stale', { trouble: { kind: 'REFUSED', with: 'every question' } });
const silent = at('stale', { trouble: { kind: 'silence', with: 'every question' } });
const closed = at('stale', { trouble: { kind: 'closed port', with: 'every question' } });
const tries: readonly Scene[] = [
  ...(
    [
      ['REFUSED', refusing],
      ['silent', silent],
      ['closed', closed],
    ] as const
  ).flatMap(([what, address]) => [
    {
      caption: `7 of 8 ${what}`,
      world: healthy(...Array.from({ length: 7 }, () => glue(address)), glue(at())),
    },
    {
      caption: `3 of 4 ${what}`,
      world: healthy(...Array.from({ length: 3 }, () => glue(address)), glue(at())),
    },
    { caption: `1 of 1 ${what}`, world: healthy(glue(address)) },
    { caption: `with glue ${what}, without glue in order`, world: healthy(glue(address), elsewhere(at())) },
  ]),
  { caption: 'one without addresses, one with glue', world: healthy(nowhere(), glue(at())) },
  {
    caption: 'three without addresses, one without glue',
    world: healthy(nowhere(), nowhere(), nowhere(), elsewhere(at())),
  },
];

const patience: readonly Scene[] = [250, 450, 700, 1000, 1700, 2300, 4000].flatMap((latencyMs) => [
  { caption: `1 after ${latencyMs} ms`, world: healthy(glue(at('fresh', { latencyMs }))) },
  { caption: `1 of 2 after ${latencyMs} ms`, world: healthy(glue(at('stale', { latencyMs })), glue(at())) },
]);

/** Queries of an example. */
const MOST_SHOWN = 12;

await show('Reactions', reactions, 6, false);
await show('Picks', picks, 60, true);
await show('Tries', tries, 20, true);
await show('Patience', patience, 6, false);

async function show(
  title: string,
  scenes: readonly Scene[],
  times: number,
  counting: boolean,
): Promise<void> {
  console.log(`\n# ${title}`);
  await lookUp(
    scenes.map(({ world }) => world),
    { profiles, times },
    async (held) => {
      for (const [i, { lookedUp }] of held.entries()) {
        console.log(`\n${scenes[i]?.caption}`);
        for (const profile of profiles)
          console.log(
            line(
              profile,
              lookedUp.filter((one) => one.profile === profile),
              counting,
            ),
          );
      }
    },
  );
}

function line(profile: SoftwareName, lookedUp: readonly LookedUp[], counting: boolean): string {
  const { counts, late } = gotOf(lookedUp);
  const outcomes = [...counts].map(([what, count]) => `${count} × ${what}`).join(', ');
  const firsts = lookedUp.map(({ asked }) => `#${asked[0]?.address ?? '-'}`);
  const [example] = lookedUp;
  const detail = counting
    ? `first ${tally(firsts)}; queries ${tally(lookedUp.map(({ asked }) => `${asked.length}`))}`
    : '';
  const shown = (example?.asked ?? []).slice(0, MOST_SHOWN).map(askedText).join(' ');
  return `  ${profile}: ${outcomes}${late > 0 ? `, ${late} late` : ''}; ${detail}${detail && '; '}e. g. ${shown}`;
}

function tally(items: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return [...counts].map(([item, count]) => `${item} ${count} ×`).join(' ');
}

function askedText({ afterMs, address, transport, name, type }: Asked): string {
  return `${Math.round(afterMs)}:#${address}${transport === 'tcp' ? '/tcp' : ''}:${name}/${type}`;
}

function sceneOf(host: Host, ...nameServers: readonly NameServerSpec[]): FaultWorld {
  return { seed: 0, host, nameServers };
}

function at(
  version: AddressSpec['version'] = 'fresh',
  { latencyMs = 0, trouble }: { readonly latencyMs?: number; readonly trouble?: Trouble } = {},
): AddressSpec {
  return { version, latencyMs, ...(trouble && { trouble }) };
}

function glue(...addresses: readonly AddressSpec[]): NameServerSpec {
  return { addressesFrom: 'glue', addresses };
}

function elsewhere(...addresses: readonly AddressSpec[]): NameServerSpec {
  return { addressesFrom: 'elsewhere', addresses };
}

function nowhere(): NameServerSpec {
  return { addressesFrom: 'nowhere', addresses: [] };
}
