import { appendFile, mkdir } from 'node:fs/promises';
import { gotOf } from './cells.ts';
import { type Asked, type LookedUp, lookUp } from './look-ups.ts';
import type { Situation } from './situations.ts';
import * as SERIES from './situations.ts';
import { SOFTWARE_NAMES } from './software.ts';

const [folder = '/tmp/measured', series = 'aliases', timesText = '60'] = process.argv.slice(2);
const profiles = SOFTWARE_NAMES.filter((name) => process.argv.includes(name));
const all = new Map<string, readonly Situation[]>(Object.entries(SERIES));
const MOST_ADDRESSES = 8_000;
await mkdir(folder, { recursive: true });
const situations = all.get(series) ?? [];
for (const batch of batches(situations)) {
  await lookUp(
    batch.map(({ world }) => world),
    { profiles, times: Number(timesText) },
    async (held, { calm }) => {
      for (const [i, { lookedUp }] of held.entries()) {
        const name = batch[i]?.name ?? '';
        console.log(`\n${name} (${calm()})`);
        for (const profile of profiles) {
          const own = lookedUp.filter((one) => one.profile === profile);
          console.log(line(profile, own));
        }
        const lines = lookedUp.map(
          ({ profile, heard, asked }) => `${JSON.stringify({ name, profile, heard, asked })}\n`,
        );
        await appendFile(`${folder}/${series}.jsonl`, lines.join(''));
      }
    },
  );
}

/** Each address is two sockets in each of the copies. */
function batches(all: readonly Situation[]): readonly (readonly Situation[])[] {
  const made: Situation[][] = [];
  let addresses = MOST_ADDRESSES;
  for (const situation of all) {
    const own = situation.world.nameServers.reduce(
      (sum, spec) => sum + spec.addresses.length + (spec.registered?.length ?? 0),
      0,
    );
    const needed = own * profiles.length * Number(timesText);
    if (addresses + needed > MOST_ADDRESSES) {
      made.push([]);
      addresses = 0;
    }
    made.at(-1)?.push(situation);
    addresses += needed;
  }
  return made;
}

function line(profile: string, lookedUp: readonly LookedUp[]): string {
  const { counts, late } = gotOf(lookedUp);
  const outcomes = [...counts]
    .sort()
    .map(([what, count]) => `${count} ${what.replace('answer ', '')}`)
    .join(', ');
  const seqs = tally(
    lookedUp.map(({ asked }) => asked.slice(0, 14).map(askedText).join(' ')),
    6,
  );
  return `  ${profile}: ${outcomes}${late > 0 ? `, ${late} late` : ''}\n${seqs}`;
}

function tally(items: readonly string[], most: number): string {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, most)
    .map(([item, count]) => `      ${count} × ${item}`)
    .join('\n');
}

function askedText({ address, transport, edns, name, type }: Asked): string {
  return `${address}${transport === 'tcp' ? '/tcp' : ''}${edns ? '' : '/plain'}:${name}${type === 'A' ? '' : `/${type}`}`;
}
