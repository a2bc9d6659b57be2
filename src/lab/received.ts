import { chanceOf } from '../chance.ts';
import type { Transport } from '../exchange/exchanged.ts';
import type { Message } from '../wire/message.ts';

/** A query as it reached a server's address. */
export interface Received {
  readonly query: Message;
  readonly transport: Transport;
  /** The server's address. */
  readonly address: string;
  /** 1 the first time this question came to this address over this transport, 2 the second, ... */
  readonly count: number;
}

/** A number from 0 to below 1 that looks random but is the same whenever this query comes; another seed gives another. */
export function chanceAt({ query, transport, address, count }: Received, seed: number | string = 0): number {
  const [question] = query.questions;
  return chanceOf(`${seed} ${question?.name} ${question?.type} ${transport} ${address} ${count}`);
}
