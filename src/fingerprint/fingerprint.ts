import type { Fingerprint, Told } from '../document/servers.ts';
import type { SpecialExchange } from '../exchange/ask.ts';
import { parseName, ROOT } from '../wire/name.ts';
import { NSID } from '../wire/opt.ts';
import type { MetServer } from './servers-met.ts';
import { softwareOf } from './software.ts';
import { toldByNsid, toldByText } from './told.ts';

/** How many questions a server is asked. */
export const QUESTIONS = 4;

/** The most packets that asking a server takes: each question with EDNS, without, and over TCP. */
export function mostPackets(retries: number): number {
  return QUESTIONS * (2 * (1 + retries) + 1);
}

/**
 * Asks a server what it is: version.bind, hostname.bind and id.server (RFC 4892) as TXT records of class
 * CHAOS, and its NSID (RFC 5001) together with the SOA of a zone. All four go out at the same time as far
 * as `ask`, which does the pacing, allows. Rejects only when the signal is aborted, with its reason.
 *
 * `ask` should keep names in lower case: some servers recognise these by their exact octets.
 */
export async function fingerprint(
  { address, zones }: Pick<MetServer, 'address' | 'zones'>,
  ask: SpecialExchange,
  signal: AbortSignal,
): Promise<Fingerprint> {
  const chaos = async (name: string) =>
    toldByText(await ask({ address, question: { name: parseName(name), type: 'TXT' }, class: 'CH' }, signal));
  const askNsid = async () => {
    const question = { name: zones[0] ?? ROOT, type: 'SOA' };
    return toldByNsid(await ask({ address, question, ednsOptions: [{ code: NSID, data: '' }] }, signal));
  };
  const [versionBind, hostnameBind, idServer, nsid] = await Promise.all([
    chaos('version.bind.'),
    chaos('hostname.bind.'),
    chaos('id.server.'),
    askNsid(),
  ]);
  const software = softwareOf({ version: textOf(versionBind), nsid: textOf(nsid) });
  return { versionBind, hostnameBind, idServer, nsid, ...(software === undefined ? {} : { software }) };
}

function textOf(told: Told): string | undefined {
  return told.status === 'answer' ? told.text : undefined;
}
