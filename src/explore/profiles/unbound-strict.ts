import type { Profile } from './profile.ts';
import { UNBOUND } from './unbound.ts';

export const UNBOUND_STRICT: Profile = {
  ...UNBOUND,
  standing: 'named',
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
  tries: { kind: 'by-patience', packets: 2, band: 400, perFailing: 5 },
  read: { ...UNBOUND.read, minimisation: 'as the default, with that setting' },
};
