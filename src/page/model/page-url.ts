/* Addresses of the page: which view each shows, and the address of a view. */

import { INVALID } from '../../base/shape.ts';
import { JOB_ID } from '../../document/api/jobs.ts';
import type { RequestOptions } from '../../document/api/request.ts';
import { type OffChoice, offChoiceIn, offChoiceQuery } from './switched-off.ts';

/** A question as somebody wrote it, and how it is to be asked. */
export interface WrittenQuestion {
  readonly name: string;
  readonly type: string;
  readonly choices: RequestChoices;
}

/** The view that an address of the page shows. */
export type PageView =
  | { readonly kind: 'start'; readonly question: WrittenQuestion | undefined }
  | JobAddress
  /** An address that is none of the page: a link that was cut off, or made up. */
  | { readonly kind: 'nowhere'; readonly path: string; readonly question: WrittenQuestion | undefined };

/** A job. Its question is in its address, so that it can be asked again when the job is gone, and what is imagined of it. */
export interface JobAddress {
  readonly kind: 'job';
  readonly id: string;
  readonly question: WrittenQuestion | undefined;
  readonly imagined: OffChoice;
}

/** The view at an address. */
export function viewAt({ pathname, search }: Pick<URL, 'pathname' | 'search'>): PageView {
  const query = new URLSearchParams(search);
  const question = questionIn(query);
  if (pathname === '/') return { kind: 'start', question };
  const [, id] = /^\/t\/([^/]+)\/?$/.exec(pathname) ?? [];
  if (id !== undefined && isJob(id)) return { kind: 'job', id, question, imagined: offChoiceIn(query) };
  return { kind: 'nowhere', path: pathname, question };
}

/** The path and query of a view. */
export function addressOf(view: PageView): string {
  const query = new URLSearchParams(view.question === undefined ? [] : questionQuery(view.question));
  if (view.kind === 'job')
    for (const [name, value] of offChoiceQuery(view.imagined)) query.append(name, value);
  const path = pathOf(view);
  return query.size === 0 ? path : `${path}?${query}`;
}

function pathOf(view: PageView): string {
  switch (view.kind) {
    case 'start':
      return '/';
    case 'job':
      return `/t/${view.id}`;
    case 'nowhere':
      return view.path;
  }
}

function questionQuery({ name, type, choices }: WrittenQuestion): Record<string, string> {
  return { name, type, ...choicesQuery(choices) };
}

/** Longer texts are no names, whatever is escaped in them. */
const LONGEST = 1_012;

function questionIn(query: URLSearchParams): WrittenQuestion | undefined {
  const name = query.get('name') ?? '';
  const type = query.get('type') ?? 'A';
  const isNone = name === '' || name.length > LONGEST || !/^\w{1,20}(?:-\w{1,10})?$/.test(type);
  return isNone ? undefined : { name, type, choices: choicesIn(query) };
}

function isJob(id: string): boolean {
  return JOB_ID.read(id, '', () => INVALID) !== INVALID;
}

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
function choicesIn(query: URLSearchParams): RequestChoices {
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
function choicesQuery(choices: RequestChoices): Readonly<Record<string, string>> {
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
