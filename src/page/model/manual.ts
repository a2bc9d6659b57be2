/* Reads the explanations of findings out of the manual page, svc-findings(7), whose source comes with the page. */

/** The explanation of a code. */
export interface ManualEntry {
  readonly code: string;
  /** Its usual severity, and the rule that is broken. */
  readonly severity: string;
  readonly reference: string | undefined;
  readonly paragraphs: readonly string[];
  readonly evidence: string;
  readonly remedy: string;
}

/** A heading of the manual page with its codes. */
interface ManualSection {
  readonly title: string;
  readonly entries: readonly ManualEntry[];
}

/** The sections of a manual page (mdoc(7)) that have codes. */
export function readManual(source: string): readonly ManualSection[] {
  return source
    .split(/^\.Sh /m)
    .map((section) => {
      const [title = '', ...entries] = section.split(ENTRY);
      return { title: capitalized(title.split('\n')[0] ?? ''), entries: entriesIn(entries) };
    })
    .filter(({ entries }) => entries.length > 0);
}

/** The line that begins an entry, and the three things in it. */
const ENTRY = /^\.It Sy ([A-Z][A-Z0-9_]+) , No (\w+)(?: , (.*))?\n/m;

/** `parts`: code, severity, reference and text of one entry after another. */
function entriesIn(parts: readonly (string | undefined)[]): readonly ManualEntry[] {
  const [code, severity = '', reference, body = '', ...rest] = parts;
  if (code === undefined) return [];
  const [meaning = '', evidence = '', remedy = ''] = body.split(/^\.It (?:Evidence|To do)\n/m).map(plainText);
  const paragraphs = meaning.split('\n\n').filter((text) => text !== '');
  return [{ code, severity, reference, paragraphs, evidence, remedy }, ...entriesIn(rest)];
}

/** The words of mdoc, without its macros; an empty line parts paragraphs. */
function plainText(source: string): string {
  return source
    .replace(/^\.(?:Bl|El|It).*\n?/gm, '')
    .replace(/^\.(?:Pp|br)$/gm, '\0')
    .replace(/^\.Fl (\S+)/gm, '-$1')
    .replace(/^\.Xr (\S+) (\S+)/gm, '$1($2)')
    .replace(/^\.Pq (.*)/gm, '($1)')
    .replace(/^\.[A-Z][a-z] /gm, '')
    .replace(/ ([.,;:)])$/gm, '$1')
    .replace(/\\&|\\(?=-)/g, '')
    .replaceAll('\\e', '\\')
    .replace(/\s+/g, ' ')
    .replace(/ ?\0 ?/g, '\n\n')
    .trim();
}

function capitalized(text: string): string {
  return text === 'DNSSEC' ? text : `${text.slice(0, 1)}${text.slice(1).toLowerCase()}`;
}
