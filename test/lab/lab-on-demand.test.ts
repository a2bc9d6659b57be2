import t from 'tap';
import { createExchange } from '../../src/exchange/ask.ts';
import { createFairClock } from '../../src/exchange/fair-clock.ts';
import { labOnDemand } from '../../src/lab/lab-on-demand.ts';
import { zoneText } from '../../src/lab/zone-text.ts';
import { parseName } from '../../src/wire/name.ts';

const ROOT = {
  name: 'a.root.',
  addresses: ['192.0.2.1'],
  zones: [zoneText('.', '@ NS a.root.\na.root. A 192.0.2.1\nwww A 192.0.2.80')],
};
const WRONG = { name: 'wrong.', addresses: ['192.0.2.2'], zones: ['this is no zone file'] };

t.test('an address is started when it is opened, and once', async (t) => {
  const lab = labOnDemand({ servers: [ROOT, WRONG] }, { servers: [ROOT] });
  t.teardown(lab.close);
  t.match(lab.hints, /a\.root\. 3600000 A 192\.0\.2\.1/);
  t.equal(lab.route('192.0.2.1'), undefined);
  await Promise.all([lab.open('192.0.2.1'), lab.open('192.0.2.1')]);
  const endpoint = lab.route('192.0.2.1');
  await lab.open('192.0.2.1');
  t.equal(lab.route('192.0.2.1'), endpoint);
  const exchange = createExchange({ clock: createFairClock(), route: lab.route });
  const question = { name: parseName('www.'), type: 'A' };
  const { outcome } = await exchange({ address: '192.0.2.1', question }, new AbortController().signal);
  t.match(outcome, { kind: 'reply', rcode: 'NOERROR', flags: ['qr', 'aa'] });
});

t.test('what no server has cannot be opened, and a mistake shows when its server is', async (t) => {
  const lab = labOnDemand({ servers: [ROOT, WRONG] }, { servers: [ROOT] });
  t.teardown(lab.close);
  await lab.open('192.0.2.3');
  t.equal(lab.route('192.0.2.3'), undefined);
  await t.rejects(lab.open('192.0.2.2'), { name: 'ZoneFileError' });
});
