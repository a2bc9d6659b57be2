import { BIND } from './bind.ts';
import type { Profile } from './profile.ts';

export const BIND_STRICT: Profile = {
  ...BIND,
  standing: 'named',
  setting: 'qname-minimization strict',
  minimisation: {
    style: { ...BIND.minimisation.style, apex: 'asked', mostAtZone: 5 },
    reactions: { ...BIND.minimisation.reactions, nxdomain: 'end', 'nxdomain-bare': 'end' },
    noServer: 'end-of-all',
  },
  counts: {},
  read: {
    picks: 'as bind',
    whole: 'as bind',
    glue: 'as bind',
    aliases: 'as bind',
    families: 'as bind',
    fallbacks: 'as bind',
    tcp: 'as bind',
    tries: 'as bind',
    time: 'as bind',
    ownSet: 'as bind',
    ttl: 'as bind',
    validation: 'as bind',
    minimisation:
      "first the zone's own NS records; errors of all servers lead to SERVFAIL, NXDOMAIN counts for the whole name",
  },
};
