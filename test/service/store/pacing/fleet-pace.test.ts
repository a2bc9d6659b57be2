import t from 'tap';
import { createPacer } from '../../../../src/exchange/pace.ts';
import type { StoreConnection } from '../../../../src/service/store/connection/connect.ts';
import { createFleetPace } from '../../../../src/service/store/pacing/fleet-pace.ts';
import { until } from '../../jobs/homes.ts';
import { connected } from '../connected.ts';
import { startRedis } from '../redis-server.ts';

const RATES = { ratePerAddress: 20, ratePerPrefix: 30, rateTotal: 40 };

/** Where packets go: two addresses of one prefix, and one of another. */
const ADDRESSES = ['192.0.2.1', '192.0.2.2', '198.51.100.1'];

t.test('instances together keep all rates, whatever joins, dies or is cut off', async (t) => {
  const server = await startRedis(t, { data: 'forgetful' });
  const sent: Sent[] = [];
  const join = async () => startInstance(t, await connected(t, server), sent);
  const [first, second] = [await join(), await join()];
  const settled = performance.now() + 4_000;
  await until(() => performance.now() > settled && first.sent() > 20 && second.sent() > 20);
  const third = await join();
  await until(() => third.sent() > 20);
  second.end();
  const [had, since] = [third.sent(), performance.now()];
  await until(() => performance.now() > since + 1_500 && third.sent() > had);
  third.end();
  checkRates(t, sent, RATES);
  await server.kill();
  const killed = performance.now();
  await until(() => sent.some(({ at }) => at > killed + 2_500));
  first.end();
  checkRates(t, sent, RATES);
});

t.test('an instance that never heard of the store sends one query a second to each', async (t) => {
  const server = await startRedis(t, { data: 'forgetful' });
  const connection = await connected(t, server);
  await server.kill();
  const sent: Sent[] = [];
  const one = startInstance(t, connection, sent);
  await until(() => sent.length >= 4);
  one.end();
  checkRates(t, sent, { ratePerAddress: 1, ratePerPrefix: 1, rateTotal: 1 });
  t.equal(one.pace.instances, 0);
});

t.test('rates without a limit need no store', async (t) => {
  const connection = await connected(t, await startRedis(t, { data: 'forgetful' }));
  const pace = createFleetPace({ connection, failed: (error) => t.fail(String(error)) });
  t.teardown(pace.stop);
  const { forAddress, forPrefix, total } = pace.allowancesOf({ ratePerAddress: 0 });
  for (const one of [forAddress('192.0.2.1'), forPrefix('192.0.2.0/24'), total]) t.equal(one.wait(0), 0);
});

t.test('places that are used no more cost nothing', async (t) => {
  const connection = await connected(t, await startRedis(t, { data: 'forgetful' }));
  const sent: Sent[] = [];
  const one = startInstance(t, connection, sent);
  await until(() => sent.length >= 20);
  one.end('keep');
  await until(async () => (await connection.commands.keys('svc:1:lease:*')).length === 0);
  await until(() => one.pace.instances === 1);
  t.pass('no lease is left, and the instance is still known');
});

/** A packet that left. */
interface Sent {
  readonly address: string;
  readonly at: number;
}

/** Sends as many packets as it may. */
function startInstance(t: Pick<Tap, 'teardown' | 'fail'>, connection: StoreConnection, sent: Sent[]) {
  const pace = createFleetPace({ connection, failed: (error) => t.fail(String(error)) });
  const pacer = createPacer({ ...RATES, totalInFlight: 256, allowances: pace.allowancesOf });
  const controller = new AbortController();
  let own = 0;
  const flood = async (address: string) => {
    for (;;) {
      const turn = await pacer.acquire(address, controller.signal);
      sent.push({ address, at: performance.now() });
      own += 1;
      turn.end();
    }
  };
  const floods = ADDRESSES.flatMap((address) => [flood(address), flood(address)]);
  for (const one of floods) one.catch(() => {});
  const end = (how: 'leave' | 'keep' = 'leave') => {
    controller.abort();
    if (how === 'leave') pace.stop();
  };
  t.teardown(() => {
    end();
  });
  return { pace, end, sent: () => own };
}

/** In any one second no more than the rates. */
function checkRates(t: Pick<Tap, 'ok'>, sent: readonly Sent[], rates: typeof RATES): void {
  const most = (of: (address: string) => boolean) => {
    const moments = sent.filter(({ address }) => of(address)).map(({ at }) => at);
    return Math.max(...moments.map((from) => moments.filter((at) => at >= from && at < from + 1_000).length));
  };
  for (const one of ADDRESSES) {
    const count = most((address) => address === one);
    t.ok(count <= rates.ratePerAddress, `${count} to ${one}`);
  }
  const prefix = most((address) => address.startsWith('192.0.2.'));
  t.ok(prefix <= rates.ratePerPrefix, `${prefix} to a prefix`);
  const total = most(() => true);
  t.ok(total <= rates.rateTotal, `${total} in all`);
}

type Tap = typeof t;
