/**
 * Reads the address of a service: an http or https URL without user, query or fragment; undefined for
 * anything else. A path is kept, since a proxy may put the service anywhere, without the API's own "/api"
 * at its end.
 */
export function readServerUrl(text: string): URL | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined;
  url.pathname = `${url.pathname.replace(/\/+$/, '').replace(/\/api$/, '')}/`;
  return url;
}

/** The URL of a path such as "api/traverse" below the service. */
export function resourceUrl(server: URL, path: string): URL {
  return new URL(path, server);
}
