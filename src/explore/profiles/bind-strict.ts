import { BIND } from './bind.ts';
import type { Profile } from './profile.ts';

export const BIND_STRICT: Profile = {
  ...BIND,
  standing: 'named',
  minimisation: {
    style: { ...BIND.minimisation.style, apex: 'asked', mostAtZone: 5 },
    reactions: { ...BIND.minimisation.reactions, nxdomain: 'end', 'nxdomain-bare': 'end' },
    noServer: 'end-of-all',
  },
  read: { ...BIND.read, minimisation: 'as the default, with that setting' },
};
