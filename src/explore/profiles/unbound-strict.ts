import type { Profile } from './profile.ts';
import { UNBOUND } from './unbound.ts';

export const UNBOUND_STRICT: Profile = {
  ...UNBOUND,
  standing: 'named',
  setting: 'qname-minimisation-strict',
  minimisation: {
    ...UNBOUND.minimisation,
    reactions: {
      ...UNBOUND.minimisation.reactions,
      nxdomain: 'end',
      'nxdomain-bare': 'end',
      'lame-upward': 'next-label-elsewhere',
      FORMERR: 'next-label',
      SERVFAIL: 'next-label',
      NOTIMP: 'next-label',
      REFUSED: 'next-label',
      YXDOMAIN: 'end',
      'other-rcode': 'next-label',
    },
  },
  tries: { kind: 'by-patience', packets: 1, band: 400, perFailing: 5, afterSilence: 'asked-again' },
  counts: {},
  read: {
    picks: 'as unbound',
    whole: 'as unbound',
    glue: 'as unbound',
    aliases: 'as unbound',
    families: 'as unbound',
    fallbacks: 'as unbound',
    tcp: 'as unbound',
    tries: 'as unbound',
    time: 'as unbound',
    ownSet: 'as unbound',
    ttl: 'as unbound',
    validation: 'as unbound',
    minimisation:
      'an error leads to the next longer name, NXDOMAIN and YXDOMAIN count for the whole name, silence does not end minimisation',
  },
};
