/** Servers whose answers to www.a. vary, for worlds of findings. */
import { answer, type FindingsWorld, host, referral, type Saying } from './world.ts';

/** What a server of zone a. says by turns. */
export interface Turns {
  /** To each question for www.a., one after the other, and again from the first: records, or a saying. */
  readonly www: readonly (Saying | readonly string[])[];
  /** Serials by turns, likewise; absent: 5. */
  readonly serials?: readonly number[];
}

/** A world whose zone a. has these servers, at 192.0.2.11 and so on, and which answers repeats. */
export function rotatingWorld(servers: readonly Turns[]): FindingsWorld {
  const names = servers.map((_, i) => `ns${i + 1}.a.=${addressOf(i)}`);
  const toA = referral(`a. ${names.join(' ')}`);
  const own = servers.map((turns, i) => [`${addressOf(i)} *`, taking(turns)] as const);
  return {
    says: { '192.0.2.1 *': toA, '192.0.2.2 *': toA, ...Object.fromEntries(own) },
    options: COLD_WITH_REPEATS,
    probes: {},
  };
}

/** The cold walk alone, but for repeats, which --quick leaves out. */
export const COLD_WITH_REPEATS = { views: ['profiles'] } as const;

/** "192.0.2.11" for the first server. */
export function addressOf(i: number): string {
  return `192.0.2.${11 + i}`;
}

function taking({ www, serials = [5] }: Turns): Saying {
  const said = { www: 0, soa: 0 };
  return (query) => {
    const { name, type } = query.question;
    if (type === 'SOA') {
      const serial = serials[said.soa++ % serials.length];
      return answer(`m.a. h.a. ${serial} 3600 600 86400 300`)(query);
    }
    const server = /^ns([0-9]+)\.a\.$/.exec(name);
    if (server !== null) return host('a.', `A ${addressOf(Number(server[1]) - 1)}`)(query);
    const turn = www[said.www++ % www.length] ?? [];
    return typeof turn === 'function' ? turn(query) : answer(...turn)(query);
  };
}
