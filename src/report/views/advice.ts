/* What to do about findings, the worst first, and who can do it: the rows that texts and page print. */

import { labelCount } from '../../dns/name.ts';
import { type Finding, onlyCauseOf, type Severity } from '../../document/finding.ts';
import { listed } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';
import type { Detail } from '../../document/words/shortened.ts';
import type { Actor } from '../../findings/catalogue.ts';
import { entryOf, inSentence, remedyOf } from './faults.ts';
import { type AlikeFindings, findingFamilies, findingPlace, findingServer } from './findings.ts';

/** A fault as texts and page print it. */
export interface Advice {
  /** Those that say the same of several servers of a zone. */
  readonly findings: AlikeFindings;
  readonly severity: Severity;
  readonly code: string;
  readonly place: string;
  /** What is wrong, at which further servers, and the rule that is broken. */
  readonly problem: readonly string[];
  /** "the operator of ns1.example"; empty where the findings name nobody. */
  readonly who: string;
  /** "The operator of ns1.example: start the server."; none for what merely follows from a fault with advice of its own. */
  readonly action: string | undefined;
  /** What merely follows. */
  readonly hence: readonly Advice[];
}

/** What to do about findings, the worst first; with full detail about each, else about those together that say the same. */
export function adviceOn(findings: readonly Finding[], detail: Detail): readonly Advice[] {
  return findingFamilies(findings, detail).map(({ alike, consequences }) => ({
    ...adviceFor(alike),
    hence: consequences.map(adviceFor),
  }));
}

/** The most further servers that are named. */
const NAMED = 4;

function adviceFor(findings: AlikeFindings): Advice {
  const [first, ...others] = findings;
  const { severity, code, message, reference } = first;
  const also = others.length === 0 ? [] : [`Also affected: ${listed(others.map(findingServer), NAMED)}`];
  return {
    findings,
    severity,
    code,
    place: findingPlace(first),
    problem: [
      `${message}${reference === undefined ? '' : ` (${reference})`}`,
      ...also.map((words) => (words.endsWith('.') ? words : `${words}.`)),
    ],
    who: whoActs(findings),
    action: actionOn(findings),
    hence: [],
  };
}

/** Advice that only names causes: these stand above what follows from them, or say themselves who can act. */
const REFERS = /^See /;

function actionOn([finding, ...others]: AlikeFindings): string | undefined {
  const remedy = remedyOf(finding);
  if (REFERS.test(remedy)) return onlyCauseOf(finding) === undefined ? `${remedy}.` : undefined;
  const who = whoActs([finding, ...others]);
  return who === ''
    ? `${remedy}.`
    : `${who.slice(0, 1).toUpperCase()}${who.slice(1)}: ${inSentence(remedy)}.`;
}

function whoActs(findings: AlikeFindings): string {
  const entry = entryOf(findings[0]);
  return entry === undefined ? '' : whoCan(entry.who, findings);
}

/** "the operator of ns1.example", "the owner of shop.example"; empty where the findings name neither. */
function whoCan(actor: Actor, findings: AlikeFindings): string {
  const [{ zone }] = findings;
  const names = [
    ...new Set(findings.flatMap(({ server }) => (server === undefined ? [] : plain(server.name)))),
  ];
  const owner = zone === undefined ? 'the owner of the zone' : ownerOf(zone);
  const servers = zone === undefined ? '' : `the operators of the servers of ${plain(zone)}`;
  const operator = names.length === 0 ? servers : operatorsOf(names);
  switch (actor) {
    case 'operator':
      return operator;
    case 'owner':
      return owner;
    case 'either':
      return [operator, owner].filter((words) => words !== '').join(', or ');
    case 'operator-if-named':
      return names.length === 0 ? owner : operator;
    case 'parent':
      return zone === undefined ? '' : `the operators of the servers above ${plain(zone)}`;
    case 'you':
      return 'you';
  }
}

/** "the operator of ns1.example" */
export function operatorsOf(names: readonly string[]): string {
  return `the ${names.length === 1 ? 'operator' : 'operators'} of ${listed(names, NAMED)}`;
}

function ownerOf(zone: NonNullable<Finding['zone']>): string {
  const labels = labelCount(zone);
  if (labels === 0) return 'the operators of the root zone';
  return `${labels === 1 ? 'the registry' : 'the owner'} of ${plain(zone)}`;
}
