/* Handles the requests for the page and its files. */

import type { IncomingHttpHeaders } from 'node:http';
import type { Problem } from '../../document/api/service-documents.ts';
import { plain } from '../../document/words/names.ts';
import { printable } from '../../document/words/shortened.ts';
import { isEnded, type Job } from '../jobs/job.ts';
import {
  CODINGS,
  type Coding,
  type Page,
  type PageFile,
  type PagePreview,
  preferredType,
  readPreferences,
  withPreview,
} from '../page-files.ts';
import { type HttpReply, problemReply, type ReplyHeaders, textReply } from './response.ts';
import { type Handler, NOT_FOUND } from './router.ts';

/** GET /: the page, but for programs that ask for JSON: they are told that there is none. */
export const getPage: Handler = ({ headers }, { page }) => htmlReply(headers, page, 200);

/**
 * GET /t/{id}: the same page, which reads the job itself. The status is that of the job, for whoever checks links; a job
 * that has gone is still a page, which offers to run it again. Programs that show links find the job's verdict in it.
 */
export const getJobPage: Handler = async ({ headers, id }, { page, jobs }) => {
  const plainPage = (status: 200 | 404) => htmlReply(headers, page, status, NOT_INDEXED);
  if (page === undefined || preferredType(headers.accept) === 'json') return plainPage(404);
  const job = await jobs.find(id, 'state');
  if (typeof job !== 'object') return plainPage(job === undefined ? 404 : 200);
  return {
    kind: 'whole',
    status: 200,
    headers: { ...PAGE_HEADERS, ...PAGE_CACHING, ...NOT_INDEXED, 'Content-Type': page.html.type },
    body: [Buffer.from(withPreview(page.template, previewOf(job)))],
  };
};

/** A job in a title and a line of text, for programs that show a link with them, such as chats and ticket systems. */
function previewOf({ request: { question }, state }: Job): PagePreview {
  const title = `${plain(question.name)} ${question.type} · DNS traversal`;
  const verdict = isEnded(state) ? state.conclusion.verdict?.text : undefined;
  return { title, ...(verdict !== undefined && { description: printable(verdict).slice(0, LONGEST) }) };
}

/** Longer descriptions are cut by the programs that show them. */
const LONGEST = 300;

/** GET /robots.txt: jobs are for those who have the link, and the API is for programs. */
export const getRobots: Handler = (_request, { page }) =>
  page === undefined
    ? problemReply(NOT_FOUND)
    : textReply(200, 'User-agent: *\nDisallow: /api/\nDisallow: /t/\n');

/** GET /favicon.ico, which browsers ask for beside what is no page of ours, such as JSON. */
export const getIcon: Handler = ({ headers }, { page }) => {
  const [, icon] = [...(page?.assets ?? [])].find(([name]) => name.startsWith('icon-')) ?? [];
  return icon === undefined ? problemReply(NOT_FOUND) : fileReply(headers, icon, 200, PAGE_CACHING);
};

/** For a path that names nothing, the same page as well, which says so to people; programs get the problem. */
export function nowhereReply(
  headers: IncomingHttpHeaders,
  page: Page | undefined,
  problem: Problem,
): HttpReply {
  if (page === undefined || preferredType(headers.accept) !== 'html')
    return problemReply(problem, { Vary: 'Accept' });
  return pageReply(headers, page, problem.status);
}

/** GET /assets/{id}: what the page loads. The name changes with the content, so it may be kept for ever. */
export const getAsset: Handler = ({ headers, id }, { page }) => {
  const file = page?.assets.get(id);
  if (file === undefined) return nowhereReply(headers, page, NOT_FOUND);
  const kept = { 'Cache-Control': 'public, max-age=31536000, immutable', Vary: 'Accept-Encoding' };
  return fileReply(headers, file, 200, kept);
};

function htmlReply(
  headers: IncomingHttpHeaders,
  page: Page | undefined,
  status: 200 | 404,
  more: ReplyHeaders = {},
): HttpReply {
  if (page === undefined || preferredType(headers.accept) === 'json')
    return problemReply(NOT_FOUND, { ...more, Vary: 'Accept' });
  return pageReply(headers, page, status, more);
}

/** The page names its assets by their hashes, so an old one must not outlive an update. */
function pageReply(
  headers: IncomingHttpHeaders,
  { html }: Page,
  status: number,
  more: ReplyHeaders = {},
): HttpReply {
  return fileReply(headers, html, status, { ...PAGE_CACHING, ...more });
}

const PAGE_CACHING: ReplyHeaders = {
  'Cache-Control': 'no-cache',
  Vary: 'Accept, Accept-Encoding',
};

/** For programs that come to a job, or to where it was, by a link elsewhere, and have not read /robots.txt. */
const NOT_INDEXED: ReplyHeaders = { 'X-Robots-Tag': 'noindex' };

function fileReply(
  headers: IncomingHttpHeaders,
  { type, forms, hash }: PageFile,
  status: number,
  caching: ReplyHeaders,
): HttpReply {
  const coding = codingFor(headers['accept-encoding']?.toString());
  const tag = `"${hash}-${coding}"`;
  const common = { ...PAGE_HEADERS, ...caching, ETag: tag };
  if (status === 200 && isKnown(tag, headers['if-none-match'])) {
    return { kind: 'whole', status: 304, headers: common, body: [] };
  }
  const encoding = coding === 'identity' ? {} : { 'Content-Encoding': coding };
  return {
    kind: 'whole',
    status,
    headers: { ...common, ...encoding, 'Content-Type': type },
    body: [forms[coding]],
  };
}

/** The shortest form that the client takes (RFC 9110 12.5.3). */
function codingFor(accepted: string | undefined): Coding {
  const preferences = readPreferences(accepted ?? '');
  const takes = (coding: Coding) => (preferences.get(coding) ?? preferences.get('*') ?? 0) > 0;
  return CODINGS.find(takes) ?? 'identity';
}

/** RFC 9110 13.1.2. */
function isKnown(tag: string, known: string | undefined): boolean {
  const tags = known?.split(',').map((one) => one.trim().replace(/^W\//, '')) ?? [];
  return tags.includes('*') || tags.includes(tag);
}

/**
 * What may be done with the page and by it: it takes nothing from elsewhere, runs no code that is not a file of its
 * own, sends nothing elsewhere, and is shown in no frame. Workers are bound by the headers that they come with, so
 * assets have these too.
 */
const PAGE_HEADERS: ReplyHeaders = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    // No text becomes a script or markup, whatever a bug does with it; `trustOwnScripts` starts workers.
    "require-trusted-types-for 'script'",
    'trusted-types default',
    "frame-ancestors 'none'",
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
};
