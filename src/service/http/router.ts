const RESOURCES = ['traversals', 'traversal', 'servers', 'events', 'health', 'openapi', 'metrics'] as const;

/** What a path names. */
export type Resource = (typeof RESOURCES)[number];

/** The path of each resource, in the notation of OpenAPI. */
export const RESOURCE_PATHS: Readonly<Record<Resource, string>> = {
  traversals: '/api/traverse',
  traversal: '/api/traverse/{id}',
  servers: '/api/traverse/{id}/servers',
  events: '/api/traverse/{id}/events',
  health: '/api/health',
  openapi: '/api/openapi.json',
  metrics: '/metrics',
};

/** What the target of a request names. */
type Located =
  | { readonly kind: 'resource'; readonly resource: Resource; readonly id: string }
  /** "OPTIONS *": the server itself. */
  | { readonly kind: 'server' }
  | { readonly kind: 'unknown' }
  /** With an invalid percent escape. */
  | { readonly kind: 'malformed' };

/**
 * Reads the target of a request (RFC 9112 3.2): a path, or a whole URL, whose host is ignored. Octets may
 * be percent-encoded; a trailing slash and a query make no difference.
 */
export function locate(target: string): Located {
  if (target === '*') return { kind: 'server' };
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
  if (!path.startsWith('/')) return { kind: 'unknown' };
  const segments = path
    .replace(/(?<=.)\/$/, '')
    .slice(1)
    .split('/')
    .map(decoded);
  if (segments.includes(undefined)) return { kind: 'malformed' };
  for (const [resource, pattern] of PATTERNS) {
    const id = match(pattern, segments);
    if (id !== undefined) return { kind: 'resource', resource, id };
  }
  return { kind: 'unknown' };
}

const PATTERNS = RESOURCES.map(
  (resource) => [resource, RESOURCE_PATHS[resource].slice(1).split('/')] as const,
);

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** The identifier in a path that matches the pattern, empty if the pattern has none; undefined if it does not match. */
function match(pattern: readonly string[], segments: readonly (string | undefined)[]): string | undefined {
  if (pattern.length !== segments.length) return undefined;
  let id = '';
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (part === '{id}' && segment !== '') id = segment;
    else if (part !== segment) return undefined;
  }
  return id;
}
