import { familyOf } from '../dns/address.ts';
import { wildcardAt } from '../dns/dnssec/denial-records.ts';
import { isAtOrBelow, type Name, parentOf, parseName, ROOT } from '../dns/name.ts';
import type { Exchanged, Probe, Probed } from '../exchange/exchanged.ts';
import { queryKey } from '../exchange/query.ts';
import { lookupTypes } from './addresses.ts';
import { soaQuestion } from './asked-servers.ts';
import { meaningFor } from './classify.ts';
import { givesOrDenies, isUsable } from './meaning.ts';
import { otherType } from './probes.ts';
import type { Recording } from './recording.ts';
import type { AskedStep } from './repeats.ts';

/**
 * The probes that every traversal sends once everything was asked, by what was heard so far: svc-model(7), COLD AND WARM. A
 * pure function; the caller makes them and calls it with what came of that, until there are none.
 */
export function planUsualProbes(
  asked: readonly AskedStep[],
  { scope, exchanges, probes }: Pick<Recording, 'scope' | 'exchanges' | 'probes'>,
): readonly Probe[] {
  const steps = asked.filter(({ zone }) => zone !== ROOT);
  const { check, question } = scope;
  const seen = { asked, steps, heard: [...exchanges.values()], probes, check, question };
  const wanted = PLANS.flatMap((plan) => [...plan(seen)]);
  const known = new Set([...exchanges.keys(), ...probes.map(queryKey)]);
  const open = new Map(wanted.map((one) => [queryKey(one), one]));
  const made = probes.filter(({ probe }) => probe !== 'repeat').length;
  return [...open].flatMap(([key, one]) => (known.has(key) ? [] : [one])).slice(0, Math.max(0, MOST - made));
}

/** However many servers a hostile zone has. */
const MOST = 64;

/** What probes are planned by. */
interface Seen extends Pick<Recording['scope'], 'check' | 'question'> {
  /** Of the main walks. */
  readonly asked: readonly AskedStep[];
  /** Those of them that are not at the root. */
  readonly steps: readonly AskedStep[];
  readonly heard: readonly Exchanged[];
  readonly probes: readonly Probed[];
}

const PLANS: readonly ((seen: Seen) => Iterable<Probe>)[] = [
  controls,
  otherTypes,
  hostAddresses,
  wildcards,
  authorities,
];

/** Whether servers that gave nothing usable for a zone fail at everything. */
function* controls({ steps, heard }: Seen): Iterable<Probe> {
  for (const { zone, heard: here } of steps) {
    const working = workingAt(zone, heard);
    for (const { address, outcome } of here) {
      if (outcome.kind === 'reply' && !working.has(address))
        yield { probe: 'control', address, question: soaQuestion(zone) };
    }
  }
}

/** Whether the name that was asked for exists by the other type of address, as many programs ask for both. */
function* otherTypes({ steps, question: { type } }: Seen): Iterable<Probe> {
  if (type !== 'A' && type !== 'AAAA') return;
  for (const { zone, question, heard } of steps) {
    for (const one of heard) {
      if (!givesOrDenies(meaningFor(one, zone))) continue;
      const other = { name: question.name, type: otherType(type) };
      yield { probe: 'other-type', address: one.address, question: other };
    }
  }
}

/** Whether an address that fails, and that a referral gives to a server inside its zone, is that server's by its own zone. */
function* hostAddresses({ asked, steps, heard: all, probes }: Seen): Iterable<Probe> {
  for (const { zone, heard } of steps) {
    const working = workingAt(zone, [...all, ...probes]);
    const isControlled = ({ address, outcome }: Exchanged) =>
      outcome.kind !== 'reply' || probes.some((one) => one.probe === 'control' && one.address === address);
    const failing = new Set(
      heard.filter((one) => !working.has(one.address) && isControlled(one)).map(({ address }) => address),
    );
    if (failing.size === 0) continue;
    for (const { name, address } of gluesOf(zone, asked)) {
      const [lookup] = failing.has(address) ? lookupTypes([familyOf(address)]) : [];
      if (lookup === undefined) continue;
      for (const other of [...working].slice(0, MOST_HOSTS))
        yield { probe: 'host-address', address: other, question: { name, type: lookup.type } };
    }
  }
}

/** The servers of a zone that are asked for the addresses of others. */
const MOST_HOSTS = 4;

function* gluesOf(zone: Name, asked: readonly AskedStep[]): Iterable<{ name: Name; address: string }> {
  for (const step of asked) {
    for (const one of step.heard) {
      const meaning = meaningFor(one, step.zone);
      if (meaning.kind !== 'referral' || meaning.delegation.zone !== zone) continue;
      for (const { name, glue } of meaning.delegation.nameservers) {
        if (isAtOrBelow(name, zone)) for (const address of glue) yield { name, address };
      }
    }
  }
}

/**
 * Whether a wildcard would have answered, were there no such name and none below it (RFC 4592 2.2): above a name without data,
 * and then the name below it that is made most often, so that people see what hides their wildcard.
 */
function* wildcards({ steps, probes }: Seen): Iterable<Probe> {
  for (const { zone, question, heard } of steps) {
    const denying = heard.find((one) => meaningFor(one, zone).kind === 'nodata');
    if (denying === undefined || question.name.startsWith('*.')) continue;
    const { address } = denying;
    const above = wildcardsOver(question.name, zone).map((name) => ({ name, type: question.type }));
    for (const wild of above) yield { probe: 'wildcard', address, question: wild };
    const keys = new Set(above.map((wild) => queryKey({ address, question: wild })));
    const isHidden = probes.some((one) => keys.has(queryKey(one)) && meaningFor(one, zone).kind === 'answer');
    const challenge = challengeOf(question.name);
    if (isHidden && challenge !== undefined)
      yield { probe: 'wildcard', address, question: { name: challenge, type: 'TXT' } };
  }
}

/** The wildcards that could cover a name in a zone, the nearest first. */
export function wildcardsOver(name: Name, zone: Name): readonly Name[] {
  const wild: Name[] = [];
  for (let above = parentOf(name); above !== undefined && isAtOrBelow(above, zone); above = parentOf(above))
    wild.push(wildcardAt(above));
  return wild.slice(0, MOST_WILDCARDS);
}

const MOST_WILDCARDS = 3;

/** Where certificates are asked for (RFC 8555 8.4); undefined if there can be no such name. */
export function challengeOf(name: Name): Name | undefined {
  return name.length > LONGEST ? undefined : parseName(`_acme-challenge.${name}`);
}

/** Of a name that still takes a label in front. */
const LONGEST = 200;

/**
 * What a certificate authority asks next where a name has no CAA records: for those of each name above (RFC 8659 3). With
 * `--check` also for those of a name that has addresses, aliases followed.
 */
function* authorities({ steps, probes, check, question }: Seen): Iterable<Probe> {
  if (check === 'on' && question.type !== 'CAA')
    for (const {
      zone,
      question: { name, type },
      heard,
    } of steps)
      for (const one of heard)
        if ((type === 'A' || type === 'AAAA') && meaningFor(one, zone).kind === 'answer')
          yield { probe: 'authorities', address: one.address, question: { name, type: 'CAA' } };
  if (question.type !== 'CAA' || !isDenied(steps.filter(isAboutAuthorities).flatMap(repliesAt))) return;
  for (const name of namesAbove(question.name)) {
    const [deepest] = steps.filter(({ zone }) => isAtOrBelow(name, zone)).sort(byDepth);
    if (deepest === undefined) return;
    const addresses = new Set(
      steps.flatMap(({ zone, heard }) => (zone === deepest.zone ? heard.map(({ address }) => address) : [])),
    );
    for (const address of [...addresses].slice(0, MOST_ASKED))
      yield { probe: 'authorities', address, question: { name, type: 'CAA' } };
    const said = probes.filter((one) => one.question.name === name && one.question.type === 'CAA');
    if (!isDenied(said.map((exchanged) => ({ zone: deepest.zone, exchanged })))) return;
  }
}

const MOST_ASKED = 8;

function isAboutAuthorities({ question }: AskedStep): boolean {
  return question.type === 'CAA';
}

function repliesAt({ zone, heard }: AskedStep): readonly Heard[] {
  return heard.map((exchanged) => ({ zone, exchanged }));
}

interface Heard {
  readonly zone: Name;
  readonly exchanged: Exchanged;
}

/** Whether some say that there is nothing, and nobody says otherwise. */
function isDenied(all: readonly Heard[]): boolean {
  const kinds = new Set(all.map(({ zone, exchanged }) => meaningFor(exchanged, zone).kind));
  return (kinds.has('nodata') || kinds.has('nxdomain')) && !kinds.has('answer');
}

/** The names above one but for the root, the nearest first. */
export function namesAbove(name: Name): readonly Name[] {
  const above: Name[] = [];
  for (let next = parentOf(name); next !== undefined && next !== ROOT; next = parentOf(next))
    above.push(next);
  return above;
}

function byDepth(a: AskedStep, b: AskedStep): number {
  return b.zone.length - a.zone.length;
}

/** The addresses that gave something usable for a zone. */
function workingAt(zone: Name, heard: readonly Exchanged[]): ReadonlySet<string> {
  const good = heard.filter(
    (one) => isAtOrBelow(one.question.name, zone) && isUsable(meaningFor(one, zone).kind),
  );
  return new Set(good.map(({ address }) => address));
}
