import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { configurePowerdns, nsec3Text, pdnsutil } from '../configure-server.ts';
import { type Daemon, run, startDaemon } from '../daemon.ts';
import { askOnce } from '../stub.ts';
import { dsData, type MakeKeys, recordLines, type SigningAlgorithm, type SigningOrder } from './signer.ts';

const NAMES: Readonly<Record<SigningAlgorithm, string>> = {
  RSASHA256: 'rsasha256',
  ECDSAP256SHA256: 'ecdsa256',
  ED25519: 'ed25519',
};

/** In bits, where there is a choice. */
const SIZES: Readonly<Record<SigningAlgorithm, readonly string[]>> = {
  RSASHA256: ['2048'],
  ECDSAP256SHA256: [],
  ED25519: [],
};

/** The number of the first key in a new database. */
const FIRST_KEY = '1';

/** Many are started at once. */
const startMs = 60_000;

/** Each server that hands a signed zone over has an address of its own. */
let servers = 0;

/**
 * PowerDNS has one key for all purposes and signs what it is asked for: the signed zone is a transfer from a
 * server of its own. It signs by the clock, so at no other time than now.
 */
export const powerdnsKeys: MakeKeys = async (origin, algorithm, directory) => {
  await mkdir(directory);
  const keyPlace = join(directory, 'key');
  await mkdir(keyPlace);
  const text = `$ORIGIN ${origin}\n@ 60 SOA ns hostmaster 1 60 60 60 60\n@ 60 NS ns\n`;
  const zone = { kind: 'loaded', origin, text } as const;
  await configurePowerdns({ software: 'powerdns', address: '127.53.9.0', zones: [zone] }, keyPlace);
  await pdnsutil(keyPlace, ['add-zone-key', origin, 'ksk', ...SIZES[algorithm], 'active', NAMES[algorithm]]);
  const privateKey = await pdnsutil(keyPlace, ['export-zone-key', origin, FIRST_KEY]);
  const ds = await pdnsutil(keyPlace, ['export-zone-ds', origin]);
  return {
    ds: dsData(ds),
    privateKey,
    sign: (order) => sign(order, privateKey, directory, `127.53.9.${++servers}`),
  };
};

async function sign(
  { origin, text, denial, time }: SigningOrder,
  privateKey: string,
  parent: string,
  address: string,
): Promise<readonly string[]> {
  if (time !== 'now') throw new Error('PowerDNS signs by the clock');
  const directory = join(parent, address);
  await mkdir(directory);
  const signing = { kind: 'live', privateKey, nsec3: nsec3Text(denial) } as const;
  const zone = { kind: 'loaded', origin, text, signing } as const;
  const daemon = await startDaemon(
    await configurePowerdns({ software: 'powerdns', address, zones: [zone] }, directory),
    directory,
  );
  try {
    await waitUntilServed(origin, address, daemon);
    const dig = ['+noall', '+answer', '+onesoa', `@${address}`, origin, 'AXFR'];
    return recordLines(await run({ program: 'dig', args: dig }));
  } finally {
    await daemon.kill();
  }
}

async function waitUntilServed(origin: string, address: string, daemon: Daemon): Promise<void> {
  for (const deadline = Date.now() + startMs; ; ) {
    const heard = await askOnce(address, origin, 'SOA', 1000);
    if (typeof heard === 'object' && heard.rcode === 'NOERROR') return;
    await daemon.assertRunning();
    if (Date.now() > deadline) throw new Error(`PowerDNS does not serve ${origin}`);
    await delay(10);
  }
}
