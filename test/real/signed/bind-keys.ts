import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../daemon.ts';
import {
  type Denial,
  dsData,
  type MakeKeys,
  recordLines,
  type SigningOrder,
  signingMoment,
} from './signer.ts';

const MONTH_S = 30 * 86_400;

/** BIND's tools: dnssec-keygen makes a key-signing and a zone-signing key, dnssec-signzone signs. */
export const bindKeys: MakeKeys = async (origin, algorithm, directory) => {
  await mkdir(directory);
  const generate = (args: readonly string[]) =>
    run({ program: 'dnssec-keygen', args: ['-q', '-K', directory, '-a', algorithm, ...args, origin] });
  const size = algorithm === 'RSASHA256' ? ['-b', '2048'] : [];
  await generate(size);
  const name = (await generate([...size, '-f', 'KSK'])).trim();
  const key = join(directory, name);
  const ds = await run({ program: 'dnssec-dsfromkey', args: ['-2', key] });
  let signed = 0;
  return {
    ds: dsData(ds),
    sign: (order) => sign(order, directory, `signed-${signed++}`),
  };
};

async function sign({ origin, text, denial, time }: SigningOrder, directory: string, name: string) {
  const [from, to] = [join(directory, name), join(directory, `${name}.out`)];
  await writeFile(from, text);
  const moment = signingMoment(time);
  const args = [
    ...['-q', '-S', '-P', '-K', directory, '-d', directory, '-o', origin, '-O', 'full', '-f', to],
    ...['-s', stamp(moment - 3600), '-e', stamp(moment + MONTH_S), '-j', '0'],
    ...denialArgs(denial),
    from,
  ];
  await run({ program: 'dnssec-signzone', args });
  return recordLines(await readFile(to, 'utf8'));
}

function denialArgs(denial: Denial): readonly string[] {
  if (denial.kind === 'nsec') return [];
  return ['-3', '-', '-H', String(denial.iterations), ...(denial.optOut ? ['-A'] : [])];
}

/** As in RRSIG records: 20260101000000. */
function stamp(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(/\D/g, '').slice(0, 14);
}
