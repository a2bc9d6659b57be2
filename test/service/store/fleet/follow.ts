import { request } from 'node:http';
import type { Place } from '../../http-client.ts';
import { eventsIn } from '../../test-service.ts';
import type { Spot } from './instances.ts';
import { soon } from './submit.ts';

/** An event as it was told: its number and its name. */
export type Told = readonly [id: number, name: string];

/** How long one instance is listened to. */
const TURN_MS = 400;

/** Follows a job from instance to instance, by a few events at each, until its servers are known. */
export async function followAround(
  spots: readonly Spot[],
  id: string,
  first: number,
): Promise<readonly Told[]> {
  const told: Told[] = [];
  for (let turn = first; told.at(-1)?.[1] !== 'servers'; turn += 1) {
    const spot = spots[turn % spots.length];
    // A dead instance is not to be asked all the time.
    if (spot === undefined) await soon(50);
    const text = spot === undefined ? '' : await listen(spot, `/api/traverse/${id}/events`, told.at(-1)?.[0]);
    // What was cut off in the middle comes again.
    const whole = text.slice(0, text.lastIndexOf('\n\n') + 2);
    told.push(...eventsIn(whole).map(([number, name]) => [number, name] as const));
  }
  return told;
}

/** What an instance says within a turn; nothing if it is dead. */
function listen({ host, port }: Place, path: string, seen: number | undefined): Promise<string> {
  const headers = seen === undefined ? {} : { 'Last-Event-ID': `${seen}` };
  return new Promise((resolve) => {
    let text = '';
    const made = request({ host, port, path, headers, agent: false }, (response) => {
      if (response.statusCode === 200) response.setEncoding('utf8').on('data', (piece) => (text += piece));
      response.on('error', end).on('close', end);
    });
    const timer = setTimeout(end, TURN_MS);
    function end(): void {
      clearTimeout(timer);
      made.destroy();
      // A dead instance is not to be asked all the time.
      setTimeout(resolve, 50, text);
    }
    made.on('error', end).end();
  });
}
