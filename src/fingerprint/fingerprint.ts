import type { SpecialExchange } from '../exchange/ask.ts';
import { parseName, ROOT } from '../wire/name.ts';
import { NSID } from '../wire/opt.ts';
import type { MetServer } from './servers-met.ts';
import { type Software, softwareOf } from './software.ts';
import { type Told, toldByNsid, toldByText } from './told.ts';

/** What a server is, as far as it tells: a row of the server list (contract, section 2). */
export interface Fingerprint extends MetServer {
  readonly versionBind: Told;
  readonly hostnameBind: Told;
  readonly idServer: Told;
  readonly nsid: Told;
  readonly software?: Software;
}

/**
 * Asks every server who it is: version.bind, hostname.bind and id.server (RFC 4892) as TXT records of
 * class CHAOS, and for its NSID (RFC 5001) along with a zone's SOA. Each address is asked each of
 * them once, all at the same time as far as `ask` lets them; rows come in the order of the servers,
 * which are distinct. Rejects only with the signal's reason, when it is aborted.
 *
 * `ask` does the pacing. It should keep names in lower case, for some servers know these ones by
 * their exact octets.
 */
export function fingerprint(
  servers: readonly MetServer[],
  ask: SpecialExchange,
  signal: AbortSignal,
): Promise<readonly Fingerprint[]> {
  return Promise.all(servers.map((server) => fingerprintOne(server, ask, signal)));
}

async function fingerprintOne(
  server: MetServer,
  ask: SpecialExchange,
  signal: AbortSignal,
): Promise<Fingerprint> {
  const { address } = server;
  const chaos = async (name: string) =>
    toldByText(await ask({ address, question: { name: parseName(name), type: 'TXT' }, class: 'CH' }, signal));
  const [versionBind, hostnameBind, idServer, nsid] = await Promise.all([
    chaos('version.bind.'),
    chaos('hostname.bind.'),
    chaos('id.server.'),
    askNsid(server, ask, signal),
  ]);
  const software = softwareOf({ version: textOf(versionBind), nsid: textOf(nsid) });
  const told = { ...server, versionBind, hostnameBind, idServer, nsid };
  return software === undefined ? told : { ...told, software };
}

async function askNsid(server: MetServer, ask: SpecialExchange, signal: AbortSignal): Promise<Told> {
  const question = { name: server.zones[0] ?? ROOT, type: 'SOA' };
  const ednsOptions = [{ code: NSID, data: '' }];
  return toldByNsid(await ask({ address: server.address, question, ednsOptions }, signal));
}

function textOf(told: Told): string | undefined {
  return told.status === 'answer' ? told.text : undefined;
}
