import type { ListedServer, Told } from '../document/servers.ts';
import type { SpecialExchange } from '../exchange/ask.ts';
import { parseName, ROOT } from '../wire/name.ts';
import { NSID } from '../wire/opt.ts';
import type { MetServer } from './servers-met.ts';
import { softwareOf } from './software.ts';
import { toldByNsid, toldByText } from './told.ts';

/** What a server says about itself: a row of the server list. */
interface Fingerprint extends ListedServer {
  readonly versionBind: Told;
  readonly hostnameBind: Told;
  readonly idServer: Told;
  readonly nsid: Told;
}

/**
 * Asks every server what it is: version.bind, hostname.bind and id.server (RFC 4892) as TXT records of
 * class CHAOS, and its NSID (RFC 5001) together with the SOA of a zone. Each of the distinct `servers` is
 * asked each question once, all at the same time as far as `ask`, which does the pacing, allows. Rows are
 * in the order of the servers. Rejects only when the signal is aborted, with its reason.
 *
 * `ask` should keep names in lower case: some servers recognise these by their exact octets.
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
