/** The weights, from 0 to 1, of the values in a header such as Accept (RFC 9110 12.4.2). */
type Preferences = ReadonlyMap<string, number>;

/** Reads Accept or Accept-Encoding. Parameters other than the weight are left out. */
export function readPreferences(header: string): Preferences {
  return new Map(
    header.split(',').map((entry) => {
      const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((one) => one.startsWith('q='))?.slice(2);
      return [name, weight === undefined ? 1 : weightOf(weight)];
    }),
  );
}

/** Whether a client asks for HTML by name, and for nothing that programs read rather than that. */
export function prefersHtml(accept: string | undefined): boolean {
  const preferences = readPreferences(accept ?? '');
  const html = preferences.get('text/html') ?? preferences.get('text/*') ?? 0;
  const json = preferences.get('application/json') ?? preferences.get('application/*') ?? 0;
  return html > 0 && html >= json;
}

function weightOf(text: string): number {
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0;
}
