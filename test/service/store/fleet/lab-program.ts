/* The name servers of a fleet, in a process of their own: when a query is read hardly depends on what else goes on. */

import { startLab } from '../../../../src/lab/lab.ts';
import { zoneText } from '../../../../src/lab/zone-text.ts';
import { type EntryOf, monotonicNow } from './history.ts';

/** How long a query of `slow.test` takes, and by that a job. */
const SLOW_MS = 1_500;

/** How often what was read is told. */
const TELL_MS = 250;

/** How long a query may have waited unread, while nothing else is done, and how often is looked. */
const TICK_MS = 5;

const [ROOT, OTHER_ROOT] = ['127.0.17.1', '127.0.17.2'];
const [SHOP, OTHER_SHOP] = ['127.0.17.11', '127.0.17.12'];
const SLOW = '127.0.17.21';

const top = `
  @              NS a.root.
  @              NS b.root.
  a.root.        A  ${ROOT}
  b.root.        A  ${OTHER_ROOT}
  shop.test      NS ns1.shop.test.
  shop.test      NS ns2.shop.test.
  ns1.shop.test  A  ${SHOP}
  ns2.shop.test  A  ${OTHER_SHOP}
  slow.test      NS ns1.slow.test.
  ns1.slow.test  A  ${SLOW}`;
const shop = `@ NS ns1\n@ NS ns2\nns1 A ${SHOP}\nns2 A ${OTHER_SHOP}\n* A 203.0.113.80`;
const slow = `@ NS ns1\nns1 A ${SLOW}\n* A 203.0.113.81`;

let queries: EntryOf<'query'>[] = [];
let [tick, tickBefore] = [monotonicNow(), monotonicNow()];

const lab = await startLab(
  {
    servers: [
      { name: 'a.root.', addresses: [ROOT], zones: [zoneText('.', top)] },
      { name: 'b.root.', addresses: [OTHER_ROOT], zones: [zoneText('.', top)] },
      { name: 'ns1.shop.test.', addresses: [SHOP], zones: [zoneText('shop.test.', shop)] },
      { name: 'ns2.shop.test.', addresses: [OTHER_SHOP], zones: [zoneText('shop.test.', shop)] },
      {
        name: 'ns1.slow.test.',
        addresses: [SLOW],
        zones: [zoneText('slow.test.', slow)],
        faults: [{ kind: 'latency', ms: SLOW_MS }],
      },
    ],
  },
  {
    // The sockets were empty when they were polled after the tick before the last.
    hear: ({ address }) => queries.push({ kind: 'query', at: monotonicNow(), since: tickBefore, address }),
  },
);
setInterval(() => {
  [tickBefore, tick] = [tick, monotonicNow()];
}, TICK_MS);
setInterval(() => {
  if (queries.length > 0) process.send?.(queries);
  queries = [];
}, TELL_MS);
process.on('disconnect', () => process.exit());
process.send?.({ port: lab.port, hints: lab.hints });
