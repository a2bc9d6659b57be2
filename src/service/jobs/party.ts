import type { Client } from '../clients/client-ip.ts';
import { clientNetwork } from '../clients/client-network.ts';

/** Who asks for a job. */
export type Requester = Pick<Client, 'client' | 'exempt'>;

/** The party of exempt clients, which nobody can join by claiming an address. */
export const THIS_HOST = 'this host';

/** Whose turns and whose room the jobs of a client take. */
export function partyOf({ client, exempt }: Requester): string {
  return exempt ? THIS_HOST : clientNetwork(client);
}
