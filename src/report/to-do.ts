/* What to do about a result, the worst first: findings and explanations, so that each thing is said once. */

import type { Finding, Severity } from '../document/finding.ts';
import type { TraversalResult } from '../document/result.ts';
import type { Detail } from '../document/words/shortened.ts';
import { actionSentence } from './advice.ts';
import { type Explanation, explained, type Remark } from './explanations.ts';
import type { Effect } from './views/effects.ts';
import {
  type AlikeFindings,
  type FindingFamily,
  findingFamilies,
  findingPlace,
  findingSentences,
} from './views/findings.ts';
import type { ResultView } from './views/result-view.ts';

/** Something to do, with what it is for. */
export interface ToDo {
  readonly title: ToDoTitle;
  readonly sentences: readonly string[];
  /** "The operator of ns1.example: start the server." */
  readonly actions: readonly string[];
  /** What merely follows. */
  readonly consequences: readonly FindingToDo[];
}

/** A finding, in sentences. */
export interface FindingToDo {
  readonly title: Extract<ToDoTitle, { kind: 'finding' }>;
  readonly sentences: readonly string[];
}

/** What something to do is about: findings that say the same, ends that are alike, or the result as a whole. */
export type ToDoTitle =
  | {
      readonly kind: 'finding';
      readonly severity: Severity;
      readonly code: string;
      readonly place: string;
      readonly findings: AlikeFindings;
    }
  | { readonly kind: 'ends'; readonly explanation: Explanation; readonly effect: Effect }
  | { readonly kind: 'result'; readonly words: string };

/** The heading of what to do. Findings are about the world that was recorded, whatever else is imagined. */
export const TO_DO = {
  seen: 'What to do, worst first',
  imagined: 'Findings of the world as recorded',
} as const;

/** The findings as things to do. */
export function findingsToDo(findings: readonly Finding[], detail: Detail): readonly ToDo[] {
  return findingFamilies(findings, detail).map((family) => familyToDo(family, []));
}

/**
 * What to do about a result. Where an explanation is about what a finding is about, it stands in the place of the
 * finding's sentences, as it says who can do what. Explanations of an imagined world add to the findings instead, which
 * are of the recorded one.
 */
export function toDo(view: ResultView): readonly ToDo[] {
  const { result } = view;
  const { ends, remarks } = explained(view);
  const all = [...remarks.map(remarkExplaining), ...ends.map((end) => endExplaining(end, result))].filter(
    isSaying,
  );
  const families = findingFamilies(result.findings, view.wording.detail);
  const owners = new Map(
    all.map((one) => [one, families.find((family) => findingsOf(family).some(one.isAbout))] as const),
  );
  const about = (family: FindingFamily | undefined) => all.filter((one) => owners.get(one) === family);
  const isReal = result.recorded === undefined;
  return [
    ...families.map((family) => familyToDo(family, isReal ? about(family) : [])),
    ...about(undefined).map(({ title, means, actions }) => ({
      title,
      sentences: means === '' ? [] : [means],
      actions,
      consequences: [],
    })),
  ];
}

/** An explanation, and which findings are about the same. */
interface Explaining {
  readonly title: ToDoTitle;
  readonly means: string;
  readonly actions: readonly string[];
  readonly isAbout: (finding: Finding) => boolean;
}

function isSaying({ means, actions }: Explaining): boolean {
  return means !== '' || actions.length > 0;
}

function remarkExplaining({ title, means, actions, codes }: Remark): Explaining {
  return {
    title: { kind: 'result', words: title },
    means,
    actions: actions.map(actionSentence),
    isAbout: (finding) => codes.some((code) => code === finding.code),
  };
}

function endExplaining(explanation: Explanation, { exchanges }: TraversalResult): Explaining {
  const { end, servers, effect, means, actions } = explanation;
  const addresses = new Set(servers.map(({ address }) => address));
  const proof = new Set(
    exchanges
      .filter(
        ({ server, question }) =>
          addresses.has(server.address) &&
          question.name === end.question.name &&
          question.type === end.question.type,
      )
      .map(({ id }) => id),
  );
  const nameserver = 'nameserver' in end ? end.nameserver : undefined;
  const isProved = ({ exchanges: ids }: Finding) => ids.some((id) => proof.has(id));
  const isThere = ({ zone, server }: Finding) =>
    zone === end.zone && (nameserver === undefined || server?.name === nameserver);
  return {
    title: { kind: 'ends', explanation, effect },
    means,
    actions: actions.map(actionSentence),
    isAbout: (finding) => actions.length > 0 && (servers.length > 0 ? isProved(finding) : isThere(finding)),
  };
}

function findingsOf({ alike, consequences }: FindingFamily): readonly Finding[] {
  return [alike, ...consequences].flat();
}

function familyToDo({ alike, consequences }: FindingFamily, explaining: readonly Explaining[]): ToDo {
  const means = explaining.filter(({ isAbout }) => alike.some(isAbout)).map((one) => one.means);
  return {
    title: titleOf(alike),
    sentences: means.length === 0 ? findingSentences(alike) : [...new Set(means)],
    actions: [...new Set(explaining.flatMap(({ actions }) => actions))],
    consequences: consequences.map((one) => ({ title: titleOf(one), sentences: findingSentences(one) })),
  };
}

function titleOf(findings: AlikeFindings): Extract<ToDoTitle, { kind: 'finding' }> {
  const [first] = findings;
  return {
    kind: 'finding',
    severity: first.severity,
    code: first.code,
    place: findingPlace(first),
    findings,
  };
}
