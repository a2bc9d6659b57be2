import { readFile, writeFile } from 'node:fs/promises';
import { startLab } from '../../../src/lab/lab.ts';
import { trustAnchorOf } from '../../../src/lab/world.ts';
import { copyOf, labWorld } from './copies.ts';
import { randomFaultWorld } from './fault-world.ts';
import { recordingOf, saidBy } from './said.ts';
import { HELD } from './summary.ts';

const [from = '', to = '', ...only] = process.argv.slice(2);
const lines = (await readFile(from, 'utf8'))
  .split('\n')
  .filter((l) => l !== '')
  .map((l) => JSON.parse(l));
const seeds = [...new Set(lines.map(({ seed }) => seed))].filter(
  (s) => only.length === 0 || only.includes(String(s)),
);
const out: string[] = [];
for (const seed of seeds) {
  let count = 0;
  const next = (family: string, tcp: string) => {
    count += 1;
    return family === 'IPv6'
      ? `fd53::${count.toString(16)}`
      : `127.${tcp === 'open' ? 64 : 200}.${count >> 8}.${count & 255}`;
  };
  const world = randomFaultWorld(seed);
  if (
    process.env.SKIP &&
    world.nameServers.some(
      ({ registered, addresses }) => registered && (addresses.length > 1 || addresses[0]?.family),
    )
  )
    continue;
  const copy = copyOf(randomFaultWorld(seed), 'w0-specimen', next);
  const simulated = labWorld([copy]);
  const lab = await startLab(simulated, { port: 53, isHere: () => true });
  const anchor = trustAnchorOf(simulated).replaceAll(/^\. \d+ IN/gm, '. IN');
  try {
    const recording = await recordingOf(copy, { lab, anchor }, HELD);
    const said = saidBy(recording);
    for (const line of lines.filter((l) => l.seed === seed)) {
      const own = said.get(line.profile);
      if (own === undefined) {
        console.log('left out', seed, line.profile);
        continue;
      }
      out.push(JSON.stringify({ ...line, said: { ...own, shares: Object.fromEntries(own.shares) } }));
    }
  } finally {
    await lab.close();
  }
}
await writeFile(to, out.join('\n') + '\n');
