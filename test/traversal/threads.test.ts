import t from 'tap';
import { createPacer } from '../../src/exchange/pacer.ts';
import { RisingUrgency } from '../../src/exchange/urgency.ts';
import { MainTurns, WorkerTurns } from '../../src/traversal/threads/turns.ts';
import { createFakeClock } from '../base/fake-clock.ts';

t.test('what becomes more urgent in a thread does so in the line of the main thread', async (t) => {
  const clock = createFakeClock();
  const pacer = createPacer({ ratePerAddress: 1, totalInFlight: 10, clock });
  const desk: MainTurns = new MainTurns(pacer, (message) => {
    if (message.kind === 'turns') turns.take(message.turns);
  });
  const turns = new WorkerTurns((message) => {
    if (message.kind === 'pace') desk.take(message);
  });
  desk.open(1);
  const { acquire } = turns.pacerFor(1);
  const gone: string[] = [];
  const ask = (label: string, rising: RisingUrgency) =>
    acquire('192.0.2.1', new AbortController().signal, { rank: 'check', rising }).then(({ leave, end }) => {
      gone.push(label);
      leave();
      end();
    });
  const [first, second, soon, late] = ['first', 'second', 'soon', 'late'].map((label) => {
    const rising = new RisingUrgency({ rank: 'check' });
    void ask(label, rising);
    return rising;
  });
  soon?.raise({ rank: 'cold' });
  // What is asked crosses over in a batch.
  await clock.advance(0);
  late?.raise({ rank: 'dnssec' });
  // And so does what comes of it: each second has time for that.
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) await clock.advance(1_000);
  };
  await pass(20);
  t.same(gone, ['first', 'soon', 'late', 'second']);
  for (const rising of [first, second]) rising?.raise({ rank: 'cold' });
  await pass(20);
  t.equal(gone.length, 4, 'what has gone does not go again');
});
