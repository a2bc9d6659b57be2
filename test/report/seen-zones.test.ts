import t from 'tap';
import { eventWords, SeenZones, serverStatesIn } from '../../src/report/views/seen-zones.ts';
import { exchange } from './events.ts';

const ZONE = 'example.com';

/** What each of three servers said, and how each stands then. */
const STANDINGS = [
  ['all say the same', ['192.0.2.1', '192.0.2.1', '192.0.2.1'], 'agrees agrees agrees'],
  ['one says something else', ['192.0.2.1', '192.0.2.9', '192.0.2.1'], 'agrees differs agrees'],
  ['nobody is in the majority', ['192.0.2.1', '192.0.2.2', '192.0.2.3'], 'differs differs differs'],
  ['one denies', ['192.0.2.1', 'nxdomain', '192.0.2.1'], 'agrees differs agrees'],
  ['one is dead, the others agree', ['192.0.2.1', 'timeout', '192.0.2.1'], 'agrees fails agrees'],
  ['one is dead, the others do not', ['192.0.2.1', 'timeout', '192.0.2.2'], 'differs fails differs'],
  ['all are dead', ['timeout', 'timeout', 'timeout'], 'fails fails fails'],
] as const;

t.test('how servers of a zone stand', async (t) => {
  for (const [name, sayings, expected] of STANDINGS) {
    const zones = new SeenZones();
    for (const [at, saying] of sayings.entries()) {
      const said = isClass(saying) ? { class: saying } : { data: [saying] };
      zones.hear(exchange({ zone: ZONE, address: `198.51.100.${at}`, ...said }));
    }
    const standings = zones.all.flatMap((zone) => [...serverStatesIn(zone).values()]);
    t.equal(standings.join(' '), expected, name);
  }
});

t.test('replies are compared with those to the same question', async (t) => {
  const zones = new SeenZones();
  for (const [at, question] of ['ns1.example', 'ns2.example'].entries()) {
    for (const host of [1, 2]) {
      const data = [`192.0.2.${at}`];
      zones.hear(exchange({ zone: ZONE, address: `198.51.100.${host}`, question, data }));
    }
  }
  t.same(
    [...(zones.all[0] === undefined ? [] : serverStatesIn(zones.all[0]).values())],
    ['agrees', 'agrees'],
  );
});

t.test('of a server that is asked a thousand times the first things are kept', async (t) => {
  const zones = new SeenZones();
  for (let at = 0; at < 1_000; at += 1) {
    zones.hear(exchange({ zone: ZONE, address: '192.0.2.1', names: at === 0 ? [] : ['ns.example'] }));
  }
  const server = zones.all[0]?.servers.get('192.0.2.1');
  t.equal(server?.times, 1_000);
  t.equal(server?.did.length, 24);
  t.same(server?.names, ['ns.example.'], 'a name that came to be known later counts');
});

t.test('what a reply said, in a few words', async (t) => {
  const rows = [
    [{ data: ['192.0.2.1', '192.0.2.2'] }, '192.0.2.1 + 192.0.2.2'],
    [{}, 'answer'],
    [{ class: 'alias', target: 'www.cdn.test' }, 'alias to www.cdn.test'],
    [{ class: 'alias-loop', target: 'www.example' }, 'alias loop to www.example'],
    [{ class: 'referral', referredTo: 'example' }, 'referral to example'],
    [{ class: 'referral' }, 'referral'],
    [{ class: 'lame', referredTo: '.' }, 'lame, referral to the root'],
    [{ class: 'lame' }, 'lame'],
    [{ class: 'error', rcode: 'REFUSED' }, 'REFUSED'],
    [{ class: 'error' }, 'error'],
    [{ class: 'nxdomain' }, 'NXDOMAIN'],
    [{ class: 'nodata' }, 'NODATA'],
    [{ class: 'timeout' }, 'timeout'],
    [{ class: 'unreachable' }, 'unreachable'],
    [{ class: 'malformed' }, 'malformed reply'],
  ] as const;
  for (const [told, words] of rows)
    t.equal(eventWords(exchange({ zone: '.', address: '192.0.2.1', ...told })), words);
});

function isClass(saying: string): saying is 'nxdomain' | 'timeout' {
  return saying === 'nxdomain' || saying === 'timeout';
}
