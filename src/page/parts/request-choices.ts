import type { RequestOptions } from '../../document/api/request.ts';

/** The options of the form beside the question. `usual`: the service's default. */
export interface RequestChoices {
  readonly check: 'usual' | 'on' | 'off';
  readonly dnssec: 'usual' | 'on' | 'off';
  readonly families: 'usual' | '4' | '6';
  readonly transport: 'usual' | 'tcp';
  readonly edns: 'usual' | 'off';
}

/** The service's defaults. */
export const USUAL_CHOICES: RequestChoices = {
  check: 'usual',
  dnssec: 'usual',
  families: 'usual',
  transport: 'usual',
  edns: 'usual',
};

/** Reads choices from the query of an address, and ignores invalid ones. */
export function choicesIn(query: URLSearchParams): RequestChoices {
  const choices: RequestChoices = {
    check: chosen(query.get('check'), ['on', 'off']),
    dnssec: chosen(query.get('dnssec'), ['on', 'off']),
    families: chosen(query.get('families'), ['4', '6']),
    transport: chosen(query.get('transport'), ['tcp']),
    edns: chosen(query.get('edns'), ['off']),
  };
  return withChoice(choices, {});
}

function chosen<V extends string>(text: string | null, values: readonly V[]): V | 'usual' {
  return values.find((value) => value === text) ?? 'usual';
}

/** Writes choices as parameters of an address: those that are not the default. */
export function choicesQuery(choices: RequestChoices): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(choices).filter(([, value]) => value !== 'usual'));
}

/** Choices, one of which was changed. Signatures come with EDNS only (RFC 4035 4.1), so what was chosen last counts. */
export function withChoice(choices: RequestChoices, changed: Partial<RequestChoices>): RequestChoices {
  const all = { ...choices, ...changed };
  if (all.edns !== 'off') return all;
  if (changed.dnssec === 'on') return { ...all, edns: 'usual' };
  return { ...all, dnssec: 'off' };
}

/** Says how a change of one choice changes another; empty if it does not. */
export function turnedBy(choices: RequestChoices, changed: Partial<RequestChoices>): string {
  const { edns, dnssec } = withChoice(choices, changed);
  if (changed.edns === undefined && edns !== choices.edns)
    return 'Signatures come with EDNS only, so that is on again.';
  const isOff = changed.dnssec === undefined && dnssec !== choices.dnssec;
  return isOff ? 'Signatures come with EDNS only, so they are ignored.' : '';
}

/** The options of a request for these choices; undefined if there are none. */
export function requestOptionsFor(choices: RequestChoices): RequestOptions | undefined {
  const { check, dnssec, families, transport, edns } = choices;
  const options: RequestOptions = {
    ...(check === 'usual' ? {} : { check: check === 'on' }),
    ...(dnssec === 'usual' ? {} : { dnssec: dnssec === 'on' }),
    ...(families === 'usual' ? {} : { families: [families === '4' ? 4 : 6] }),
    ...(transport === 'usual' ? {} : { transport }),
    ...(edns === 'usual' ? {} : { edns }),
  };
  return Object.keys(options).length === 0 ? undefined : options;
}
