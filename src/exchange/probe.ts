import { UNDEFINED_OPTION } from '../wire/opt.ts';
import type { SpecialExchange } from './ask.ts';
import type { SpecialQuery } from './compose.ts';
import type { ProbeKind, Probing } from './probed.ts';

/** Carries probes out over an exchange, which does the pacing too. */
export function probing(exchange: SpecialExchange): Probing {
  return async ({ address, question, probe }, signal, leaving) => {
    const { onlyStage, ...manner } = MANNERS[probe];
    const query = { address, question, rank: 'check', ...manner } as const;
    const exchanged = await exchange(
      { ...query, onlyStage: { ...PLAIN_NAME, ...onlyStage } },
      signal,
      leaving,
    );
    return { ...exchanged, probe };
  };
}

/** Names in mixed case would need a fallback. */
const PLAIN_NAME = { nameCase: 'lower' } as const;

/** How the query of each kind differs from that of an exchange. */
const MANNERS: Readonly<Record<ProbeKind, Omit<SpecialQuery, 'address' | 'question'>>> = {
  tcp: { onlyStage: { transport: 'tcp' } },
  'no-edns': { onlyStage: { edns: false } },
  'edns-version': { ednsVersion: 1 },
  'edns-option': { ednsOptions: [{ code: UNDEFINED_OPTION, data: '' }] },
  recursion: { flags: ['rd'] },
  'other-type': {},
  ancestor: {},
  'own-name': {},
};
