/* Addresses of the page: which view each shows, and the address of a view. */

import { INVALID } from '../../base/shape.ts';
import { JOB_ID } from '../../document/api/jobs.ts';
import { choicesIn, type RequestChoices } from './request-choices.ts';
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
  /** The explanations of terms and codes. */
  | { readonly kind: 'help'; readonly question?: undefined }
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
  if (/^\/help\/?$/.test(pathname)) return { kind: 'help' };
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
    case 'help':
      return '/help';
    case 'job':
      return `/t/${view.id}`;
    case 'nowhere':
      return view.path;
  }
}

function questionQuery({ name, type, choices }: WrittenQuestion): Record<string, string> {
  return { name, type, ...choices };
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
