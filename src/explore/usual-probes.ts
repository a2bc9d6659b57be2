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
  const wanted = PLANS.flatMap((plan) => plan(seen));
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

const PLANS: readonly ((seen: Seen) => readonly Probe[])[] = [
  controls,
  otherTypes,
  hostAddresses,
  wildcards,
  authorities,
];

/** Whether servers that gave nothing usable for a zone fail at everything. */
function controls({ steps, heard }: Seen): readonly Probe[] {
  return steps.flatMap(({ zone, heard: here }) => {
    const working = workingAt(zone, heard);
    const failing = here.filter(({ address, outcome }) => outcome.kind === 'reply' && !working.has(address));
    return failing.map(
      ({ address }) => ({ probe: 'control', address, question: soaQuestion(zone) }) as const,
    );
  });
}

/** Whether the name that was asked for exists by the other type of address, as many programs ask for both. */
function otherTypes({ steps, question: { type } }: Seen): readonly Probe[] {
  if (type !== 'A' && type !== 'AAAA') return [];
  return steps.flatMap(({ zone, question, heard }) => {
    const other = { name: question.name, type: otherType(type) };
    const giving = heard.filter((one) => givesOrDenies(meaningFor(one, zone)));
    return giving.map(({ address }) => ({ probe: 'other-type', address, question: other }) as const);
  });
}

/** Whether an address that fails, and that a referral gives to a server inside its zone, is that server's by its own zone. */
function hostAddresses({ asked, steps, heard: all, probes }: Seen): readonly Probe[] {
  return steps.flatMap(({ zone, heard }) => {
    const working = workingAt(zone, [...all, ...probes]);
    const isControlled = ({ address, outcome }: Exchanged) =>
      outcome.kind !== 'reply' || probes.some((one) => one.probe === 'control' && one.address === address);
    const failing = new Set(
      heard.filter((one) => !working.has(one.address) && isControlled(one)).map(({ address }) => address),
    );
    const glues =
      failing.size === 0 ? [] : gluesOf(zone, asked).filter(({ address }) => failing.has(address));
    return glues.flatMap(({ name, address }) =>
      lookupTypes([familyOf(address)]).flatMap(({ type }) =>
        [...working]
          .slice(0, MOST_HOSTS)
          .map((other) => ({ probe: 'host-address', address: other, question: { name, type } }) as const),
      ),
    );
  });
}

/** The servers of a zone that are asked for the addresses of others. */
const MOST_HOSTS = 4;

function gluesOf(zone: Name, asked: readonly AskedStep[]) {
  const referrals = asked
    .flatMap((step) => step.heard.map((one) => meaningFor(one, step.zone)))
    .flatMap((meaning) => (meaning.kind === 'referral' ? [meaning.delegation] : []));
  return referrals
    .filter((delegation) => delegation.zone === zone)
    .flatMap(({ nameservers }) => nameservers.filter(({ name }) => isAtOrBelow(name, zone)))
    .flatMap(({ name, glue }) => glue.map((address) => ({ name, address })));
}

/**
 * Whether a wildcard would have answered, were there no such name and none below it (RFC 4592 2.2): above a name without data,
 * and then the name below it that is made most often, so that people see what hides their wildcard.
 */
function wildcards({ steps, probes }: Seen): readonly Probe[] {
  return steps.flatMap(({ zone, question: { name, type }, heard }) => {
    const denying = heard.find((one) => meaningFor(one, zone).kind === 'nodata');
    if (denying === undefined || name.startsWith('*.')) return [];
    const { address } = denying;
    const probe = 'wildcard' as const;
    const above = wildcardsOver(name, zone).map((wild) => {
      return { probe, address, question: { name: wild, type } };
    });
    const keys = new Set(above.map(queryKey));
    const isHidden = probes.some((one) => keys.has(queryKey(one)) && meaningFor(one, zone).kind === 'answer');
    const challenge = isHidden ? challengeOf(name) : undefined;
    if (challenge === undefined) return above;
    return [...above, { probe, address, question: { name: challenge, type: 'TXT' } }];
  });
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
function authorities({ steps, probes, check, question }: Seen): readonly Probe[] {
  const ask = (address: string, name: Name): Probe => {
    return { probe: 'authorities', address, question: { name, type: 'CAA' } };
  };
  if (question.type !== 'CAA') {
    const ofAddresses = steps.filter(({ question: { type } }) => type === 'A' || type === 'AAAA');
    return (check === 'on' ? ofAddresses : []).flatMap(({ zone, question: { name }, heard }) =>
      heard.filter((one) => meaningFor(one, zone).kind === 'answer').map(({ address }) => ask(address, name)),
    );
  }
  if (!isDenied(steps.filter(isAboutAuthorities).flatMap(repliesAt))) return [];
  const asked: Probe[] = [];
  for (const name of namesAbove(question.name)) {
    const [deepest] = steps.filter(({ zone }) => isAtOrBelow(name, zone)).sort(byDepth);
    if (deepest === undefined) break;
    const { zone } = deepest;
    const heard = steps.filter((step) => step.zone === zone).flatMap((step) => step.heard);
    const addresses = new Set(heard.map(({ address }) => address));
    asked.push(...[...addresses].slice(0, MOST_ASKED).map((address) => ask(address, name)));
    const said = probes.filter((one) => one.question.name === name && one.question.type === 'CAA');
    if (!isDenied(said.map((exchanged) => ({ zone, exchanged })))) break;
  }
  return asked;
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
