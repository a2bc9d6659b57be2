import type { Client } from '../clients/client-ip.ts';
import { clientNetwork } from '../clients/client-network.ts';

/** The client that asks for a job. */
export type Requester = Pick<Client, 'client' | 'exempt'>;

/** The party of exempt clients, which nobody can join by claiming an address. */
export const THIS_HOST = 'this host';

/** The party whose turns and room the jobs of a client take. */
export function partyOf({ client, exempt }: Requester): string {
  return exempt ? THIS_HOST : clientNetwork(client);
}
