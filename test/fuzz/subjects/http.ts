import { connect } from 'node:net';
import type { FakeClock } from '../../base/fake-clock.ts';
import { ask, type Place } from '../../service/http-client.ts';
import { startTestService } from '../../service/test-service.ts';
import { httpRequests } from '../arbitraries/http-requests.ts';
import { mustBePrintable } from '../printable.ts';
import { must, subject } from '../subject.ts';

type Service = Awaited<ReturnType<typeof startTestService>>;

const endings: (() => Promise<void>)[] = [];
let running: Promise<Service> | undefined;

/** Whatever is written to the service, it replies as it should or hangs up, and goes on. */
export const http = subject(
  'http',
  500,
  httpRequests,
  async (octets) => {
    running ??= startTestService({ teardown: (end: () => Promise<void>) => endings.push(end) }, {}, 'prompt');
    const { service, clock, lines } = await running;
    const place = { host: service.host, port: service.port };
    lines.length = 0;
    const replies = await converse(place, octets, clock);
    mustBeProper(replies);
    const { status } = await ask(place, 'GET', '/api/health');
    must(status === 200, `health is ${status}`);
    for (const line of lines) {
      must(/^[ -~]*\n$/.test(line) && !line.includes('"level":"error"'), `logs ${line}`);
    }
  },
  async () => void (await Promise.all(endings.map((end) => end()))),
);

/** Longer than any head or body may take. */
const TOO_LONG_MS = 60_000;

/** Writes octets and nothing after them, and resolves with all that came back once the service hung up. */
async function converse({ host, port }: Place, octets: Uint8Array, clock: FakeClock): Promise<string> {
  let text = '';
  let open = true;
  const socket = connect({ host, port, allowHalfOpen: true });
  socket.setEncoding('latin1').on('data', (more) => {
    text += more;
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    open = false;
  });
  socket.end(octets);
  for (let turn = 0; open && turn < MOST_TURNS; turn += 1) await clock.advance(TOO_LONG_MS);
  must(!open, `the service does not hang up after ${JSON.stringify(text)}`);
  return text;
}

const MOST_TURNS = 5_000;

/** No reply blames the service, and those that refuse say why. */
function mustBeProper(text: string): void {
  for (const reply of text.split(/(?=HTTP\/1\.1 \d{3} )/).filter((one) => one !== '')) {
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(reply)?.[1]);
    must(status >= 100 && (status < 500 || status === 501 || status === 503), `replies ${reply}`);
    const type = /^content-type: (\S+?);?(?:\s|$)/im.exec(reply)?.[1];
    const saysWhy = type === 'application/problem+json' || (status === 429 && type === 'text/plain');
    must(status < 400 || saysWhy, `replies ${status} with ${type}`);
    mustBePrintable(reply.replaceAll('\r\n', '\n'));
  }
}
