import type { ReplyHeaders } from './http-reply.ts';

/**
 * What may be done with the page and by it: it takes nothing from elsewhere, runs no code that is not a file of its
 * own, sends nothing elsewhere, and is shown in no frame. Workers are bound by the headers that they come with, so
 * assets have these too.
 */
export const PAGE_HEADERS: ReplyHeaders = {
  'Content-Security-Policy': [
    "default-src 'none'",
    // WebAssembly for Graphviz, which draws the picture.
    "script-src 'self' 'wasm-unsafe-eval'",
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
