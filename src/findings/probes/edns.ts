import type { Probed, ProbeKind } from '../../exchange/probed.ts';
import { listed } from '../../reading/words/listed.ts';
import { plain, withAddress } from '../../reading/words/names.ts';
import { UNDEFINED_OPTION } from '../../wire/opt.ts';
import { rejectsEdns } from '../../wire/rcode.ts';
import type { Check } from '../check.ts';
import { byProbe, probedServers } from './probed-servers.ts';

/**
 * EDNS_ABSENT_OR_WRONG: the server sends OPT records, but takes a version for its own that it cannot know, or
 * an option that means nothing. A server without OPT records is in its rights (RFC 6891 7), and silence
 * proves nothing.
 */
export const ednsWrong: Check = function* (evidence) {
  for (const { zone, server, probes } of probedServers(evidence)) {
    const wrong = KINDS.flatMap((kind) => {
      const probed = probes.get(kind);
      const mistake = probed?.question.name === zone ? MISTAKES[kind](probed) : undefined;
      return probed === undefined || mistake === undefined ? [] : [{ probed, mistake }];
    });
    if (wrong.length === 0) continue;
    yield {
      zone,
      server,
      problem: `${withAddress(server)}, a name server of ${plain(zone)}, ${listed(wrong.map(({ mistake }) => mistake))}`,
      advice: 'Update the software of that server or the firewall in front of it',
      proof: wrong.map(({ probed }) => probed),
    };
  }
};

const KINDS = ['edns-version', 'edns-option'] as const satisfies readonly ProbeKind[];

/** What is wrong with the reply to each kind of probe, as a predicate; undefined if nothing is. */
const MISTAKES: Readonly<Record<(typeof KINDS)[number], (probed: Probed) => string | undefined>> = {
  'edns-version': ({ outcome }) => {
    if (outcome.kind !== 'reply' || (outcome.edns?.version ?? 0) > 0) return undefined;
    if (outcome.rcode === 'NOERROR' || outcome.rcode === 'NXDOMAIN')
      return 'answers queries of EDNS version 1 as if it knew that version';
    const isOther = outcome.rcode !== 'BADVERS' && rejectsEdns(outcome.rcode);
    return isOther ? `answers queries of EDNS version 1 with ${outcome.rcode} instead of BADVERS` : undefined;
  },
  'edns-option': ({ outcome }) => {
    if (outcome.kind !== 'reply') return undefined;
    if (outcome.edns?.options.some(({ code }) => code === UNDEFINED_OPTION))
      return 'sends back EDNS options that it cannot know';
    return rejectsEdns(outcome.rcode)
      ? `rejects queries with an EDNS option that it does not know (${outcome.rcode})`
      : undefined;
  },
};

/** EDNS_BREAKS, as a server shows it that is silent as long as queries have EDNS. */
export const silentWithEdns = byProbe(
  'no-edns',
  ({ outcome }) => outcome.kind === 'reply',
  (server, zone) => ({
    problem: `${withAddress(server)} does not answer queries for ${plain(zone)} that use EDNS, only those without, so most resolvers get nothing from it`,
    advice: 'Update that server or the firewall in front of it',
  }),
);
