/* Checks whether aliases lead to an answer. */

import { getOrMake } from '../base/memo.ts';
import type { Name } from '../dns/name.ts';
import { grouped } from '../document/words/lists.ts';
import { plain, withAddress } from '../document/words/names.ts';
import type { End } from '../evaluate/end.ts';
import type { Step, Visit, Walk } from '../evaluate/step.ts';
import type { Exchanged } from '../exchange/exchanged.ts';
import { aliasAt, firstAlias } from '../explore/aliases.ts';
import { atServer, type Checks, type Draft } from './check.ts';
import { type Evidence, type Observation, soasOf } from './evidence.ts';
import { endProof } from './outcomes.ts';
import { finalDotAdvice } from './zone-files.ts';

/** Do aliases lead to an answer? */
export const ALIAS_CHECKS = {
  CNAME_LOOP: aliasLoop,
  CNAME_AT_APEX: aliasAtApex,
  CNAME_CHAIN_LONG: (evidence) => [...longChain(evidence), ...doubleAliases(evidence)],
  CNAME_DANGLING: aliasDangling,
  // Resolvers that do not know DNAME depend on the CNAME record that the server makes of it.
  DNAME_BAD_SYNTHESIS: atServer({
    when: (observed) => flaw(observed) !== undefined,
    problem: ({ server, zone, first }) =>
      `${withAddress(server)} sends a DNAME record of ${plain(zone)} ${flaw(first)}, but resolvers that do not know DNAME depend on that record`,
    advice: 'Repair or update that server',
  }),
} satisfies Checks;

/** CNAME_LOOP: an alias leads back to a name looked up before. */
function aliasLoop(evidence: Evidence): readonly Draft[] {
  const onTheWay = new Map<Name, readonly Exchanged[]>();
  return evidence.steps.flatMap((step) =>
    [...loopsAt(step)].map(([target, closing]): Draft => {
      const rest = onTheWay.get(target) ?? aliasesFrom(evidence, target);
      onTheWay.set(target, rest);
      return looping(step, target, [...closing, ...rest]);
    }),
  );
}

/** The names that aliases at a step lead back to, each with the exchanges that close the loop. */
function loopsAt({ visits }: Step): ReadonlyMap<Name, readonly Exchanged[]> {
  const loops = new Map<Name, Exchanged[]>();
  for (const visit of visits.values()) {
    const target = loopTarget(visit);
    if (target === undefined || visit.kind !== 'asked') continue;
    getOrMake(loops, target, () => []).push(visit.exchanged);
  }
  return loops;
}

function loopTarget(visit: Visit): Name | undefined {
  if (visit.kind !== 'asked') return undefined;
  if (visit.meaning.kind === 'alias-loop') return visit.meaning.target;
  return visit.onward.kind === 'alias-loop' ? visit.onward.target : undefined;
}

function looping({ delegation, question }: Step, target: Name, proof: readonly Exchanged[]): Draft {
  const { zone } = delegation;
  const back = target === question.name ? 'itself' : plain(target);
  return {
    zone,
    problem: `The alias ${plain(question.name)} in ${plain(zone)} leads back to ${back}, so it never reaches an answer`,
    advice: 'Point it to a name that has records',
    proof,
  };
}

/** The exchanges that gave the aliases that start at a name, each name once. */
function aliasesFrom({ byName }: Evidence, start: Name): readonly Exchanged[] {
  const names = new Set<Name>([start]);
  const proof: Exchanged[] = [];
  // Iterating over a set also visits what is added on the way, so it serves as the work list.
  for (const name of names) {
    for (const { exchanged, meaning } of byName.get(name) ?? []) {
      if (meaning.kind !== 'alias') continue;
      proof.push(exchanged);
      names.add(meaning.target);
    }
  }
  return proof;
}

/** CNAME_AT_APEX: an alias stands where the SOA and NS records of a zone do. */
function aliasAtApex({ contacts }: Evidence): readonly Draft[] {
  const given = contacts.flatMap(({ zone, observed }) =>
    observed.flatMap(({ exchanged, meaning }) =>
      meaning.kind === 'alias' && exchanged.question.name === zone
        ? [{ zone, target: meaning.target, exchanged }]
        : [],
    ),
  );
  return grouped(given, ({ zone }) => zone).map((all): Draft => {
    const [{ zone, target }] = all;
    return {
      zone,
      problem: `${plain(zone)}, the apex of a zone, is an alias of ${plain(target)}, so its MX, TXT, NS and SOA records cannot be seen`,
      advice: `Give ${plain(zone)} the address records of ${plain(target)} instead, or what the DNS host offers in place of an alias there`,
      proof: all.map(({ exchanged }) => exchanged),
    };
  });
}

/** Resolvers give up somewhere between 8 and 16 aliases in a row. */
const MANY_LINKS = 8;

function longChain({ evaluation, scope }: Evidence): readonly Draft[] {
  const { links, zone, proof } = new Chains().longest(evaluation.start);
  if (links <= MANY_LINKS || zone === undefined) return [];
  const problem = `${plain(scope.question.name)} takes ${links} aliases in a row to reach its data, more than some resolvers follow`;
  return [{ zone, problem, advice: 'Point the first alias nearer to the last name', proof }];
}

interface Chain {
  readonly links: number;
  /** Where the first alias is. */
  readonly zone: Name | undefined;
  readonly proof: readonly Exchanged[];
}

const NO_CHAIN: Chain = { links: 0, zone: undefined, proof: [] };

/** The longest chain of aliases from each step on; the steps below a walk are acyclic. */
class Chains {
  readonly #chains = new Map<Step, Chain>();

  longest(walk: Walk): Chain {
    if (walk.kind === 'cut') return NO_CHAIN;
    const { step } = walk;
    return getOrMake(this.#chains, step, () => this.#fold(step));
  }

  #fold(step: Step): Chain {
    let best = NO_CHAIN;
    for (const visit of step.visits.values()) {
      const chain = this.#through(step, visit);
      if (chain.links > best.links) best = chain;
    }
    return best;
  }

  #through({ delegation: { zone } }: Step, visit: Visit): Chain {
    if (visit.kind !== 'asked') return NO_CHAIN;
    const { exchanged, meaning, onward } = visit;
    const after = onward.kind === 'walk' ? this.longest(onward.walk) : NO_CHAIN;
    if (meaning.kind !== 'alias') return after;
    return { links: 1 + after.links, zone, proof: [exchanged, ...after.proof] };
  }
}

/** RFC 2181 10.1: a name has one canonical name, so one CNAME. */
function doubleAliases({ contacts }: Evidence): readonly Draft[] {
  return contacts.flatMap(({ zone, observed }) =>
    observed.flatMap(({ exchanged }): Draft[] => {
      const { outcome, question } = exchanged;
      if (outcome.kind !== 'reply' || aliasAt(outcome.answer, question.name).cnames.length < 2) return [];
      const problem = `${plain(question.name)} in ${plain(zone)} has more than one CNAME record, and resolvers may follow any of them`;
      return [{ zone, problem, advice: 'Keep only one', proof: [exchanged] }];
    }),
  );
}

/**
 * CNAME_DANGLING: an alias points to a name that does not exist, according to every server that gives
 * a final answer. If servers disagree, EXISTENCE_DIFFERS reports it.
 */
function aliasDangling(evidence: Evidence): readonly Draft[] {
  return [...evidence.mainSteps].flatMap((step) =>
    [...aliasesAt(step)].flatMap(([walk, alias]) => dangling(evidence, step, walk, alias)),
  );
}

/** An alias, and the exchanges that gave it. */
interface Alias {
  readonly target: Name;
  readonly given: Exchanged[];
}

/** The aliases that a step's servers give, by the walk to their targets. */
function aliasesAt({ visits }: Step): ReadonlyMap<Walk, Alias> {
  const aliases = new Map<Walk, Alias>();
  for (const visit of visits.values()) {
    if (visit.kind !== 'asked' || visit.meaning.kind !== 'alias' || visit.onward.kind !== 'walk') continue;
    const { target } = visit.meaning;
    getOrMake(aliases, visit.onward.walk, () => ({ target, given: [] })).given.push(visit.exchanged);
  }
  return aliases;
}

function dangling(evidence: Evidence, step: Step, walk: Walk, { target, given }: Alias): readonly Draft[] {
  const { portions } = evidence.evaluation.pathView.distribution(walk);
  const ends = [...portions.keys()];
  const denials = ends.filter((end) => end.kind === 'nxdomain' && end.question.name === target);
  if (denials.length === 0 || ends.some((end) => isElsewhere(end, target))) return [];
  const { zone } = step.delegation;
  const told = given.find(({ source }) => source) ?? given[0];
  const at = told?.source;
  const owner = (told && ownerOf(told)) ?? step.question.name;
  const where = at === undefined ? '' : `${at.file}:${at.line}: `;
  const problem = `${where}The alias ${plain(owner)} in ${plain(zone)} points to ${plain(target)}, which does not exist`;
  const denied = denials.flatMap((end) => endProof(evidence, end));
  const isOwn =
    denials.every((end) => end.zone === zone) &&
    denied.every((one) => soasOf({ exchanged: one }).every(({ name }) => name === zone));
  const advice = isOwn
    ? `${finalDotAdvice(target, zone)}Add the records of that name, or correct or remove the alias`
    : 'Correct or remove it before somebody else registers that name';
  return [{ zone, problem, advice, proof: [...given, ...denied], ...(at && { at }) }];
}

/** The owner of the alias, which is above the name that was asked if it is a DNAME. */
function ownerOf({ outcome, question }: Exchanged): Name | undefined {
  return outcome.kind === 'reply' ? firstAlias(outcome.answer, question)?.owner : undefined;
}

/** Whether some path says that the target exists. */
function isElsewhere(end: End, target: Name): boolean {
  if (end.kind === 'nxdomain') return end.question.name !== target;
  return end.kind === 'answer' || end.kind === 'nodata' || end.kind === 'alias-loop';
}

/** What is wrong with the CNAME record that the nearest DNAME record above the name asked implies. */
function flaw({ exchanged: { outcome, question } }: Observation): string | undefined {
  if (outcome.kind !== 'reply') return undefined;
  const { cnames, dname } = aliasAt(outcome.answer, question.name);
  const [target] = cnames;
  // RFC 6672 2.2: no CNAME is made where the result is too long for a name; such a reply is YXDOMAIN.
  if (dname?.makes === undefined || target === dname.makes) return undefined;
  if (target === undefined) return 'without the CNAME record that it implies';
  return `with the wrong CNAME record (to ${plain(target)})`;
}
