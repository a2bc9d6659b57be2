// What Node can do at least: asks one server the same question so many times, so many at once, each from a socket of its
// own that is bound and connected, with a lookup that answers at once: `ADDRESS PORT QUERY_HEX TIMES AT_ONCE`. Prints what it
// took, in milliseconds, as JSON.
import { createSocket } from 'node:dgram';

const [, , address, port, query, times, atOnce] = process.argv;
const octets = Buffer.from(query, 'hex');
const lookup = (host, _options, done) => process.nextTick(done, null, host, 4);
let left = Number(times);

const before = process.cpuUsage();
const start = performance.now();
await Promise.all(Array.from({ length: Number(atOnce) }, askInTurn));
const tookMs = performance.now() - start;
const { user, system } = process.cpuUsage(before);
process.stdout.write(JSON.stringify({ tookMs, cpuMs: (user + system) / 1_000 }));

async function askInTurn() {
  while (left > 0) {
    left -= 1;
    await ask();
  }
}

function ask() {
  return new Promise((resolve, reject) => {
    const socket = createSocket({ type: 'udp4', lookup });
    const lost = setTimeout(() => reject(new Error('no reply')), 5_000);
    socket.once('message', () => {
      clearTimeout(lost);
      socket.close(resolve);
    });
    socket.once('error', reject);
    socket.bind(0, () => socket.connect(Number(port), address, () => socket.send(octets)));
  });
}
