import { type ClientRequest, get } from 'node:http';

/** One event as it came. */
export interface ReadEvent {
  readonly event: string;
  readonly data: string;
}

/** Follows a job's events on a connection of its own, to the end of the stream. */
export function followEvents(
  url: string,
  heard: (event: ReadEvent, stop: () => void) => void,
): Promise<'ended' | 'stopped'> {
  return new Promise((resolve, reject) => {
    let rest = '';
    let stopped = false;
    const stop = () => {
      stopped = true;
      request.destroy();
    };
    const request: ClientRequest = get(url, { agent: false }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`${response.statusCode} for ${url}`));
      response.setEncoding('utf8').on('data', (chunk: string) => {
        const frames = (rest + chunk).split('\n\n');
        rest = frames.pop() ?? '';
        for (const frame of frames) {
          const [, event, data] = /^id: .*\nevent: (.*)\ndata: (.*)$/.exec(frame) ?? [];
          if (event !== undefined && data !== undefined && !stopped) heard({ event, data }, stop);
        }
      });
      response.on('end', () => resolve('ended'));
      response.on('error', (error) => (stopped ? resolve('stopped') : reject(error)));
    });
    request.on('error', (error) => (stopped ? resolve('stopped') : reject(error)));
  });
}
