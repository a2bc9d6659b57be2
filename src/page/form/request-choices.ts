import type { RequestOptions } from '../../document/api/request.ts';

/** What the form lets people choose beside the question. `usual`: as the service does it. */
export interface RequestChoices {
  readonly check: 'usual' | 'on' | 'off';
  readonly families: 'usual' | '4' | '6';
  readonly transport: 'usual' | 'tcp';
  readonly edns: 'usual' | 'off';
}

/** All as the service does it. */
export const USUAL_CHOICES: RequestChoices = {
  check: 'usual',
  families: 'usual',
  transport: 'usual',
  edns: 'usual',
};

/** The options of a request for these choices; undefined if there are none. */
export function requestOptionsFor({
  check,
  families,
  transport,
  edns,
}: RequestChoices): RequestOptions | undefined {
  const options: RequestOptions = {
    ...(check === 'usual' ? {} : { check: check === 'on' }),
    ...(families === 'usual' ? {} : { families: [families === '4' ? 4 : 6] }),
    ...(transport === 'usual' ? {} : { transport }),
    ...(edns === 'usual' ? {} : { edns }),
  };
  return Object.keys(options).length === 0 ? undefined : options;
}
