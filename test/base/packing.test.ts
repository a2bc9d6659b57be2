import t from 'tap';
import { packed, unpacked } from '../../src/base/packing.ts';

const RECORD = '{"name":"www.example.","type":"A","ttl":60,"data":"192.0.2.1"},';

for (const [what, octets, form] of [
  ['nothing', Buffer.alloc(0), 'plain'],
  ['what is small', Buffer.from(RECORD), 'plain'],
  ['an ordinary result', Buffer.from(RECORD.repeat(200)), 'deflated'],
  ['what is large', Buffer.from(RECORD.repeat(10_000)), 'deflated'],
] as const)
  t.test(`${what} is kept ${form} and comes back whole`, async (t) => {
    const kept = packed(octets);
    t.equal(kept.form, form);
    t.equal(kept.length, octets.length);
    t.equal(kept.octets.buffer.byteLength, kept.octets.length, 'and nothing beside it');
    t.ok(octets.equals(await unpacked(kept)));
  });

t.test('what repeats itself takes a tenth of its room at most', async (t) => {
  const text = Buffer.from(RECORD.repeat(10_000));
  t.ok(packed(text).octets.length < text.length / 10);
});
