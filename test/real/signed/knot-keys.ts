import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../daemon.ts';
import {
  ALGORITHM_NUMBERS,
  type Denial,
  dsData,
  type MakeKeys,
  recordLines,
  type SigningOrder,
  signingMoment,
} from './signer.ts';

/** Knot DNS's tools: keymgr makes one key for all purposes, kzonesign signs. */
export const knotKeys: MakeKeys = async (origin, algorithm, directory) => {
  await mkdir(directory);
  const config = join(directory, 'keys.conf');
  await writeFile(config, configuration(origin, directory, { kind: 'nsec' }));
  const keymgr = (args: readonly string[]) =>
    run({ program: 'keymgr', args: ['-c', config, origin, ...args] });
  const created = signingMoment('long ago') - 86_400;
  const times = ['created', 'publish', 'ready', 'active'].map((event) => `${event}=${created}`);
  await keymgr(['generate', `algorithm=${ALGORITHM_NUMBERS[algorithm]}`, 'ksk=yes', 'zsk=yes', ...times]);
  const ds = await keymgr(['ds']);
  let signed = 0;
  return {
    ds: dsData(ds),
    sign: (order) => sign(order, directory, `signed-${signed++}`),
  };
};

async function sign({ origin, text, denial, time }: SigningOrder, directory: string, name: string) {
  const place = join(directory, name);
  await mkdir(place);
  const config = join(place, 'knot.conf');
  await writeFile(config, configuration(origin, directory, denial, join(place, 'unsigned')));
  await writeFile(join(place, 'unsigned'), text);
  const at = String(signingMoment(time));
  await run({ program: 'kzonesign', args: ['-c', config, '-o', place, '-t', at, origin] });
  return recordLines(await readFile(join(place, 'unsigned'), 'utf8'));
}

function configuration(origin: string, directory: string, denial: Denial, file = 'none'): string {
  return `
database:
  storage: "${directory}"
log:
  - target: stderr
    any: error
policy:
  - id: suite
    manual: on
    single-type-signing: on
    cds-cdnskey-publish: none
    rrsig-lifetime: 30d
    ${denialSettings(denial)}
zone:
  - domain: "${origin}"
    file: "${file}"
    dnssec-signing: on
    dnssec-policy: suite
`;
}

function denialSettings(denial: Denial): string {
  if (denial.kind === 'nsec') return 'nsec3: off';
  const optOut = denial.optOut ? 'on' : 'off';
  return `nsec3: on\n    nsec3-iterations: ${denial.iterations}\n    nsec3-salt-length: 0\n    nsec3-opt-out: ${optOut}`;
}
