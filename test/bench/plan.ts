/**
 * A plan of one zone with 500 names, all views, at the default pace: from the start of `svc plan` to the verdict, with each
 * server 30 ms away. The first number among the arguments is that of the names.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tell } from './figure.ts';
import { shown, size } from './figures.ts';
import { spawnLab } from './lab/spawn-lab.ts';
import { knows, PROGRAMS, runForUsage } from './program.ts';
import { PORTFOLIO } from './worlds/plain.ts';

const NAMES = Number(process.argv.find((arg) => /^\d+$/.test(arg)) ?? 500);
const ZONE = 'c0.test';

const folder = mkdtempSync(join(tmpdir(), 'bench-plan-'));
const lab = await spawnLab('portfolio', 30);
try {
  const file = join(folder, `${ZONE}.zone`);
  writeFileSync(file, zoneFile());
  const { hintsFile, port } = lab;
  const place = ['--root-hints', hintsFile, '--port', `${port}`, '-4', '--allow-special-targets'];
  for (const program of PROGRAMS.filter((one) => knows(one, '--zone'))) {
    await lab.seen();
    const { tookMs, cpuMs, peak } = runForUsage(program, ['plan', file, '--json', ...place]);
    const { asked } = await lab.seen();
    const measured = `${NAMES} names, ${shown(cpuMs)} of the processor, ${size(peak)}, ${asked} questions`;
    tell('plan-time', program, tookMs / 1_000, measured);
  }
} finally {
  lab.close();
  rmSync(folder, { recursive: true });
}

/** The zone with other addresses than today, and the NS records that it has. */
function zoneFile(): string {
  const servers = PORTFOLIO.zones.find(({ apex }) => apex === `${ZONE}.`)?.servers ?? [];
  const hosts = Array.from({ length: NAMES - 1 }, (_, at) => `d${`${at}`.padStart(7, '0')}`);
  return [
    '$TTL 3600',
    '@ SOA ns host 1 7200 900 1209600 300',
    ...servers.map(({ name }) => `@ NS ${name}`),
    ...hosts.map((host, at) => `${host} A 192.0.2.${at % 250}`),
    '',
  ].join('\n');
}
