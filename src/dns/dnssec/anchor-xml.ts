import { type WrittenAnchor, wrongAt } from './anchor-records.ts';

/**
 * Reads IANA's root-anchors.xml (RFC 9718 2.1): the digests that are valid at a moment. Throws a TrustAnchorError for anything
 * beyond that format, so that no part of a file is ignored.
 */
export function anchorsInXml(text: string, at: Date): readonly WrittenAnchor[] {
  const root = rootElement(text);
  if (root.name !== 'TrustAnchor') throw wrongAt(root.line, `<${root.name}> where <TrustAnchor> is expected`);
  const owner = contentOf(root, 'Zone');
  const digests = childrenOf(root, ['Zone', 'KeyDigest']).filter(({ name }) => name === 'KeyDigest');
  const anchors = digests.map((digest) => ({ digest, anchor: anchorIn(digest, owner) }));
  const valid = anchors.filter(({ digest }) => isValid(digest, at));
  if (anchors.length > 0 && valid.length === 0)
    throw wrongAt(root.line, `no <KeyDigest> is valid on ${at.toISOString().slice(0, 10)}`);
  return valid.map(({ anchor }) => anchor);
}

const FIELDS = ['KeyTag', 'Algorithm', 'DigestType', 'Digest'];

/** Elements that give the key itself beside its digest. */
const BESIDE = ['PublicKey', 'Flags'];

function anchorIn(digest: Element, owner: string): WrittenAnchor {
  childrenOf(digest, [...FIELDS, ...BESIDE]);
  const data = FIELDS.map((field) => contentOf(digest, field)).join(' ');
  return { line: digest.line, owner, type: 'DS', data };
}

function isValid(digest: Element, at: Date): boolean {
  for (const name of digest.attributes.keys())
    if (!['id', 'validFrom', 'validUntil'].includes(name))
      throw wrongAt(digest.line, `<KeyDigest> has the unknown attribute "${name}"`);
  const from = momentOf(digest, 'validFrom') ?? Number.NEGATIVE_INFINITY;
  const until = momentOf(digest, 'validUntil') ?? Number.POSITIVE_INFINITY;
  return from <= at.getTime() && at.getTime() < until;
}

function momentOf({ attributes, line }: Element, name: string): number | undefined {
  const text = attributes.get(name);
  if (text === undefined) return undefined;
  const moment = MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(moment)) throw wrongAt(line, `${name}="${text}" is not a date and time`);
  return moment;
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[-+]\d\d:\d\d)$/;

interface Element {
  readonly name: string;
  readonly line: number;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: Element[];
  /** The text directly in it, without blanks around it. */
  text: string;
}

function childrenOf({ children, text, name, line }: Element, known: readonly string[]): readonly Element[] {
  if (text !== '') throw wrongAt(line, `<${name}> has text of its own`);
  const unknown = children.find((child) => !known.includes(child.name));
  if (unknown !== undefined) throw wrongAt(unknown.line, `<${unknown.name}> is an unknown element`);
  return children;
}

/** The text of the only child of that name. */
function contentOf({ name, line, children }: Element, wanted: string): string {
  const [only, another] = children.filter((child) => child.name === wanted);
  if (only === undefined) throw wrongAt(line, `<${name}> lacks <${wanted}>`);
  if (another !== undefined) throw wrongAt(another.line, `<${name}> has more than one <${wanted}>`);
  if (only.children.length > 0 || only.text === '') throw wrongAt(only.line, `<${wanted}> has no text`);
  return only.text;
}

/** The declaration and comments; an end tag; a start tag with attributes, which may be the end tag as well; text. */
const PART =
  /<\?.*?\?>|<!--.*?-->|<\/([A-Za-z]\w*)\s*>|<([A-Za-z]\w*)((?:\s+[A-Za-z][\w:.-]*\s*=\s*(?:"[^"<&]*"|'[^'<&]*'))*)\s*(\/?)>|([^<&]+)/sy;

const ATTRIBUTE = /([A-Za-z][\w:.-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** The only element of a text. The format has no entities, document types or CDATA sections. */
function rootElement(text: string): Element {
  const document: Element = { name: '', line: 1, attributes: new Map(), children: [], text: '' };
  const open: Element[] = [document];
  const pattern = new RegExp(PART);
  let next = 1;
  while (pattern.lastIndex < text.length) {
    const line = next;
    const found = pattern.exec(text);
    if (found === null) throw wrongAt(line, 'not the XML of root-anchors.xml');
    next += found[0].split('\n').length - 1;
    const [, ended, name, attributes = '', isEmpty, content = ''] = found;
    const inside = open.at(-1) ?? document;
    inside.text += content.trim();
    if (name !== undefined) {
      const element = { name, line, attributes: attributesIn(attributes), children: [], text: '' };
      inside.children.push(element);
      if (isEmpty === '') open.push(element);
    }
    if (ended !== undefined && (open.length === 1 || open.pop()?.name !== ended))
      throw wrongAt(line, `</${ended}> has no start tag`);
  }
  const [root, another] = document.children;
  const unended = open.length > 1 ? open.at(-1) : undefined;
  if (unended !== undefined) throw wrongAt(unended.line, `<${unended.name}> has no end tag`);
  if (root === undefined || another !== undefined || document.text !== '')
    throw wrongAt(1, 'not a single <TrustAnchor> element');
  return root;
}

function attributesIn(text: string): ReadonlyMap<string, string> {
  return new Map(
    [...text.matchAll(ATTRIBUTE)].map(([, name = '', double, single]) => [name, double ?? single ?? '']),
  );
}
