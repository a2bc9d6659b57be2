import { JOB_ID } from '../../document/api/job-id.ts';
import { INVALID } from '../../shape/shape.ts';
import { type Name, ROOT } from '../../wire/name.ts';
import { choicesIn, choicesQuery, type RequestChoices } from './request-choices.ts';

/** A question as somebody wrote it, and how it is to be asked. */
export interface WrittenQuestion {
  readonly name: string;
  readonly type: string;
  readonly choices: RequestChoices;
}

/** What an address of the page shows. */
export type PageView =
  | { readonly kind: 'start'; readonly question: WrittenQuestion | undefined }
  /** The question of a job is in its address, so that it can be asked again when the job is gone. */
  | { readonly kind: 'job'; readonly id: string; readonly question: WrittenQuestion | undefined };

/** The view at an address. One that is none shows the start. */
export function viewAt({ pathname, search }: Pick<URL, 'pathname' | 'search'>): PageView {
  const question = questionIn(new URLSearchParams(search));
  const [, id] = /^\/t\/([^/]+)\/?$/.exec(pathname) ?? [];
  return id !== undefined && isJob(id) ? { kind: 'job', id, question } : { kind: 'start', question };
}

/** The path and query of a view. */
export function addressOf(view: PageView): string {
  const path = view.kind === 'job' ? `/t/${view.id}` : '/';
  if (view.question === undefined) return path;
  const { name, type, choices } = view.question;
  return `${path}?${new URLSearchParams({ name, type, ...choicesQuery(choices) })}`;
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

/** A name as people write it: without its final dot, but for the root. */
export function writtenName(name: Name): string {
  return name === ROOT ? '.' : name.slice(0, -1);
}
