import t from 'tap';
import { hearReloads } from '../../src/cli/process/interruption.ts';

t.test('a signal that came before there was anything to read again is heeded once there is', async (t) => {
  const { signal, reloads, texts, inForce } = service();
  signal();
  signal();
  reloads.begin();
  t.same(texts(), ['new'], 'once for both');
  await reloads.end('new');
  t.same(inForce(), ['new']);
  t.same(texts(), []);
});

t.test(
  'a signal during a reload has the file read again afterwards, so that the newest text stays',
  async (t) => {
    const { signal, reloads, texts, inForce } = service();
    reloads.begin();
    t.same(texts(), []);
    signal();
    t.same(texts(), ['new']);
    reloads.write('newer');
    signal();
    reloads.write('newest');
    signal();
    t.same(texts(), ['new'], 'not two at once');
    await reloads.end('new');
    t.same(texts(), ['newest'], 'once for both');
    await reloads.end('newest');
    t.same(inForce(), ['new', 'newest']);
    t.same(texts(), []);
  },
);

/** A service whose reloads take until they are told to end. */
function service() {
  let signal = () => {};
  let file = 'new';
  const reading = new Map<string, () => void>();
  const inForce: string[] = [];
  const { begin } = hearReloads({
    onReload: (run) => {
      signal = run;
    },
  });
  const reload = async () => {
    const text = file;
    await new Promise<void>((resolve) => reading.set(text, resolve));
    reading.delete(text);
    inForce.push(text);
  };
  return {
    signal: () => signal(),
    /** The texts that are being read. */
    texts: () => [...reading.keys()],
    inForce: () => inForce,
    reloads: {
      begin: () => begin(reload),
      write: (text: string) => {
        file = text;
      },
      end: async (text: string) => {
        reading.get(text)?.();
        await new Promise((resolve) => setImmediate(resolve));
      },
    },
  };
}
