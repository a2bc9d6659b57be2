import { keysOf } from '../../base/limits.ts';

/** The terms that the page explains where they stand, and on its page of help: each in at most two sentences. */
export const GLOSSARY = {
  'name server':
    'A server that answers for a zone, such as ns1.example.com for example.com. A zone has several, and resolvers pick one.',
  resolver:
    'The server that looks names up for users, in their network or at their provider. It asks name servers, and caches replies.',
  zone: 'A part of the DNS with name servers of its own, such as com or example.com.',
  root: 'The zone at which each lookup begins. Its name servers know those of com, org and all other top-level domains.',
  delegation:
    'The NS records with which a zone names the servers of a zone below it. The owner of the lower zone changes them at the registrar.',
  'zone cut':
    'The place where one zone delegates names to another. At each zone cut, resolvers pick a server of the lower zone.',
  referral: 'A reply that points to the name servers of a zone further down.',
  glue: 'The addresses of name servers that come with a delegation. Without glue, resolvers look these addresses up first.',
  path: 'One server and one of its addresses at each zone cut, from the root to an end. A lookup takes one of all possible paths.',
  walk: 'All paths that begin with one question at the root.',
  lookup: 'The questions that a resolver asks to find an answer.',
  exchange: 'One question to one address of a name server, and its reply or timeout.',
  alias: 'A CNAME record: the name stands for another name, which is looked up next.',
  lame: 'A lame server is named in a delegation, but does not answer for the zone. Resolvers that pick it lose time.',
  cold: 'A cold resolver has cached nothing about the name. It asks the servers that the parent zones name.',
  warm: 'A warm resolver has learnt the NS records of the zone itself, and asks the servers in them. The parent zone can name other servers.',
  validating:
    'A validating resolver checks the signatures of DNSSEC. If validation fails, its users get SERVFAIL instead of an answer.',
  DNSSEC:
    'Signatures with which resolvers check that an answer comes from the owner of the zone. Each zone vouches for the keys of those below it.',
  'DS record':
    'A record with which a zone vouches for a key of a zone below it. The owner of the lower zone changes it at the registrar.',
  EDNS: 'The extension with which queries ask for larger replies and for signatures. Some old servers reject it.',
  audit: 'Further questions to every server, to find faults that no user has met yet. It takes longer.',
  NXDOMAIN: 'The reply that a name does not exist.',
  NODATA: 'The reply that a name exists, but has no records of the type.',
  SERVFAIL: 'The reply that a server cannot answer. Resolvers try another server.',
  REFUSED: 'The reply that a server refuses to answer. Usually the zone is not configured there.',
} as const satisfies Readonly<Record<string, string>>;

/** A term that the page explains. */
export type Term = keyof typeof GLOSSARY;

/** A part of a text: plain, an occurrence of a term, or the code of a finding. */
type TextPiece =
  | { readonly kind: 'plain' | 'code'; readonly text: string }
  | { readonly kind: 'term'; readonly text: string; readonly term: Term };

/** Splits a text around codes, and around the first occurrence of each term, in the singular or the plural. */
export function termsIn(text: string): readonly TextPiece[] {
  const seen = new Set<Term>();
  return text.split(CODE).flatMap((part, at): readonly TextPiece[] => {
    if (at % 2 === 1) return [{ kind: 'code', text: part }];
    return part.split(OCCURRENCE).map((piece) => {
      const term = TERMS.get(piece.toLowerCase()) ?? TERMS.get(piece.toLowerCase().replace(/s$/, ''));
      if (term === undefined || seen.has(term)) return { kind: 'plain', text: piece };
      seen.add(term);
      return { kind: 'term', text: piece, term };
    });
  });
}

const TERMS: ReadonlyMap<string, Term> = new Map(keysOf(GLOSSARY).map((term) => [term.toLowerCase(), term]));

// The longest first: "zone cut" is not a zone.
const OCCURRENCE = new RegExp(
  `(?<![\\w.-])((?:${[...TERMS.keys()].sort((a, b) => b.length - a.length).join('|')})s?)(?![\\w-]|\\.\\w)`,
  'i',
);

const CODE = /(?<![\w.-])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?![\w-]|\.\w)/;
