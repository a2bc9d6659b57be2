import type { Signings, ZoneSigning } from '../signing/zone-signing.ts';

/** Zones that are signed as most are. */
const PLAIN = [
  '.',
  '100.51.198.in-addr.arpa.',
  '1.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa.',
  'harbour.example.',
  'lame.example.',
  'forgotten.example.',
  'magazine.example.',
  'circle.example.',
  'moved.example.',
  'offices.example.',
  'copied.example.',
  'stale.example.',
  'sale.example.',
  'dead.example.',
  'letters.example.',
  'intranet.example.',
  'mixed.example.',
  'missing-glue.example.',
  'wrong-glue.example.',
  'six.example.',
  'expired.example.',
  'denial.example.',
  'circle.test.',
  'launch.test.',
];

/** Zones that hash the names that they deny. */
const HASHED = ['test.', 'shop.example.', 'meadow.test.', 'blog.test.', 'cdn.test.'];

const hashed: ZoneSigning = { denial: { kind: 'nsec3' } };

/**
 * How the zones of the demo are signed, with test keys that anybody can compute. Those that are not named are
 * not: `unsigned.example`, `old.example`, whose server knows no EDNS, and what nobody serves.
 */
export const DEMO_SIGNED: Signings = {
  ...Object.fromEntries(PLAIN.map((zone) => [zone, {}])),
  ...Object.fromEntries(HASHED.map((zone) => [zone, hashed])),
  // A registry with many delegations, most of them not signed.
  'example.': { denial: { kind: 'nsec3', optOut: true } },
  // Half done: Harbour's second server has the new key already. The registry knows both.
  'rollover.example.': {
    keys: [{ label: 'old' }],
    ds: [{ key: { label: 'old' } }, { key: { label: 'new' } }],
  },
  // The registry was never told about the key that is in use.
  'lost-key.example.': { ds: [{ key: { label: 'lost' } }] },
};

/** What Harbour's second server has signed otherwise than the first. */
export const SECOND_SIGNED: Signings = {
  'rollover.example.': { keys: [{ label: 'new' }] },
  // Nobody has signed its copy again.
  'expired.example.': {
    inception: Date.UTC(2026, 8, 1) / 1000,
    expiration: Date.UTC(2026, 9, 1) / 1000,
  },
};
