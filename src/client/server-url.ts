/**
 * Reads where a service is: an http or https URL without a user, a query or a fragment. A path is kept
 * (a proxy may put the service anywhere), but the API's own "/api" at its end means nothing more.
 * Undefined for anything else.
 */
export function readServerUrl(text: string): URL | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined;
  url.pathname = `${url.pathname.replace(/\/+$/, '').replace(/\/api$/, '')}/`;
  return url;
}

/** Where something of the API is: "api/traverse" below the service. */
export function resourceUrl(server: URL, path: string): URL {
  return new URL(path, server);
}
