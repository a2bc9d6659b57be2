/*
 * Decides which profile follows from what a product did in the situations of the catalogue. Each datum has the counts that it
 * follows from. A value that agrees with the counts stays; where the counts fit no value, it is undecided.
 */
import { keysOf } from '../../../src/base/limits.ts';
import { parseName } from '../../../src/dns/name.ts';
import type {
  Fallback,
  FallbackReaction,
  MinimisationStyle,
  MinimisedReaction,
  Profile,
  Tries,
  WholeReaction,
} from '../../../src/explore/profiles/profile.ts';
import { minimisedQuestions } from '../../../src/explore/profiles/stages.ts';
import { DEEP_HOSTS, FALLBACK_TROUBLES, MINIMISED_TROUBLES, nameOf, WHOLE_TROUBLES } from './catalogue.ts';
import { pValue } from './judge.ts';
import type { Asked, LookedUp } from './look-ups.ts';

/** Counts of look-ups, by what they show. */
type Counts = Readonly<Record<string, number>>;

/** The counts that a datum follows from. */
export interface Counted {
  /** The members of the profile: "picks.by". */
  readonly of: string;
  readonly situation: string;
  readonly counts: Counts;
}

/** A profile with all that was measured in it. */
export interface Decided {
  readonly profile: Profile;
  readonly counted: readonly Counted[];
  /** The data that fit no value. */
  readonly undecided: readonly string[];
}

/** Decides all data that the catalogue tells of; `measured` gives the look-ups of a situation. */
export function decide(old: Profile, measured: (situation: string) => readonly LookedUp[]): Decided {
  const counted: Counted[] = [];
  const undecided: string[] = [];
  const bench: Bench = {
    old,
    measured,
    count: (of, situation, show) => {
      const counts = tally(measured(situation).flatMap((one) => show(one) ?? []));
      counted.push({ of, situation, counts });
      return counts;
    },
    settle: (of, before, decided) => {
      if (decided === undefined) undecided.push(of);
      return decided ?? before;
    },
  };
  const again = asksAgain(bench);
  const whole = changed(old.whole, keysOf(WHOLE_TROUBLES), (kind) => wholeReaction(bench, kind, again));
  const reactions = changed(old.minimisation.reactions, keysOf(MINIMISED_TROUBLES), (kind) =>
    minimisedReaction(bench, kind),
  );
  const profile: Profile = {
    ...old,
    picks: picks(bench),
    whole,
    minimisation: {
      style: bench.settle('minimisation.style', old.minimisation.style, style(bench)),
      reactions,
      noServer: noServer(bench, reactions),
    },
    glue: glue(bench),
    aliases: aliases(bench),
    families: families(bench),
    fallbacks: changed(old.fallbacks, keysOf(FALLBACK_TROUBLES), (kind) => fallback(bench, kind)),
    tcp: tcp(bench),
    tries: tries(bench),
    time: time(bench),
    ownSet: ownSet(bench),
  };
  return { profile, counted, undecided };
}

/** What decisions are made with. */
interface Bench {
  readonly old: Profile;
  readonly measured: (situation: string) => readonly LookedUp[];
  /** Counts the look-ups of a situation; one that shows nothing is left out. */
  readonly count: (of: string, situation: string, show: (lookedUp: LookedUp) => string | undefined) => Counts;
  /** The value decided; without one that of before. */
  readonly settle: <T>(of: string, before: T, decided: T | undefined) => T;
}

/** Whether it asks a server again that replied with an error, once it has asked another one. */
function asksAgain({ count }: Bench): boolean {
  const both = nameOf('SERVFAIL', 'the whole name', '2 of 2');
  return most(count('whole', both, turns)) === 'asked again';
}

function turns(lookedUp: LookedUp): string {
  const steps = stepsOf(lookedUp);
  return steps.length > new Set(steps.map(({ address }) => address)).size ? 'asked again' : 'asked once';
}

function wholeReaction(
  { old, count, settle }: Bench,
  kind: keyof typeof WHOLE_TROUBLES,
  again: boolean,
): WholeReaction {
  const of = `whole.${kind}`;
  const one = count(of, nameOf(WHOLE_TROUBLES[kind], 'the whole name', '1 of 2'), (lookedUp) => {
    // Nobody hears who asks at a closed port.
    if (kind === 'unreachable') return endOf(lookedUp) === 'taken' ? 'next server' : endOf(lookedUp);
    const steps = stepsOf(lookedUp);
    if (steps[0]?.address !== 0) return undefined;
    return steps.some(({ address }) => address !== 0) ? 'next server' : endOf(lookedUp);
  });
  const both = () => most(count(of, nameOf(WHOLE_TROUBLES[kind], 'the whole name', '2 of 2'), turns));
  switch (most(one)) {
    case 'taken':
      return 'end';
    case 'SERVFAIL':
      return 'end-of-all';
    case 'next server': {
      // Nobody hears who asks at a closed port again.
      if (kind === 'unreachable') return 'next-server';
      const ends = count(of, nameOf(WHOLE_TROUBLES[kind], 'the whole name', '2 of 2'), endOf);
      if (sumOf(ends) === 0) return settle(of, old.whole[kind], undefined);
      // The second server said so, too, and was believed.
      if (most(ends) === 'taken') return 'doubted';
      // Who asks no server again that replied with an error need not remember which.
      return again && both() === 'asked once' ? 'never-again' : 'next-server';
    }
    default:
      return settle(of, old.whole[kind], undefined);
  }
}

function minimisedReaction(
  { old, count, settle }: Bench,
  kind: keyof typeof MINIMISED_TROUBLES,
): MinimisedReaction {
  const of = `minimisation.reactions.${kind}`;
  const before = old.minimisation.reactions[kind];
  const next = count(of, nameOf(MINIMISED_TROUBLES[kind], 'minimised questions', '1 of 2'), (lookedUp) => {
    const steps = stepsOf(lookedUp);
    const at = steps.findIndex(({ address, name }) => address === 0 && name === 'y');
    const bad = steps[at];
    if (bad === undefined) return undefined;
    const after = steps.slice(at + 1).find((step) => step.address !== 0 || step.name !== bad.name);
    if (after === undefined) return endOf(lookedUp);
    if (after.name === bad.name) return 'same name';
    return after.name === DEEP ? 'whole name' : 'next name';
  });
  const one = nameOf(MINIMISED_TROUBLES[kind], 'minimised questions', '1 of 1');
  const heard = most(next);
  const alone = heard?.endsWith('name') ? most(count(of, one, whenAlone)) : 'not asked';
  if (alone === undefined) return settle(of, before, undefined);
  switch (heard) {
    case 'same name':
      return alone === 'failed at once' ? 'never-again' : 'next-server';
    case 'next name':
      return alone === 'answered' ? 'next-label' : 'next-label-elsewhere';
    case 'whole name':
      if (alone !== 'answered') return 'whole-name-elsewhere';
      // Where one minimised name is all there is, the next one is the whole name.
      return old.minimisation.style.mostAtZone === 1 && before === 'next-label' ? before : 'whole-name';
    case 'taken':
      return 'end';
    case 'SERVFAIL':
      return 'end-of-all';
    default:
      return settle(of, before, undefined);
  }
}

function whenAlone(lookedUp: LookedUp): string {
  if (endOf(lookedUp) === 'taken') return 'answered';
  return lookedUp.asked.filter(isOfZone).length > 1 ? 'failed after more tries' : 'failed at once';
}

/** The name of three labels that is asked for. */
const DEEP = 'www.x.y';

function noServer(
  { old, count, settle }: Bench,
  reactions: Readonly<Record<keyof typeof MINIMISED_TROUBLES, MinimisedReaction>>,
): Profile['minimisation']['noServer'] {
  const kind = keysOf(MINIMISED_TROUBLES).find(
    (one) => one !== 'timeout' && reactions[one] === 'next-server',
  );
  if (kind === undefined) return old.minimisation.noServer;
  const both = nameOf(MINIMISED_TROUBLES[kind], 'minimised questions', '2 of 2');
  const heard = most(count('minimisation.noServer', both, endOf));
  const decided = heard === 'taken' ? 'whole-name' : heard && 'end-of-all';
  return settle('minimisation.noServer', old.minimisation.noServer, decided || undefined);
}

/** The style by which all names that were asked at the zone are those that were asked. */
function style({ old, measured, count }: Bench): MinimisationStyle | undefined {
  const seen = DEEP_HOSTS.flatMap((host) =>
    (['A', 'TXT'] as const).map((type) => {
      const names = ({ asked }: LookedUp) =>
        asked
          .filter(isOfZone)
          .map((one) => `${one.name}/${one.type}`)
          .filter((text, i, all) => all.indexOf(text) === i)
          .join(' ');
      const situation = `names: ${host} ${type}`;
      const isShown = host === DEEP_HOSTS[2] && type === 'A';
      const counts = isShown
        ? count('minimisation.style', situation, names)
        : tally(measured(situation).map(names));
      return { host, type, names: most(counts) };
    }),
  );
  const fits = (one: MinimisationStyle) =>
    seen.every(({ host, type, names }) => names === namesBy(one, host, type));
  return [old.minimisation.style, ...STYLES].find(fits);
}

function namesBy(one: MinimisationStyle, host: string, type: string): string {
  const zone = parseName('zone.test.');
  const whole = { name: parseName(`${host}.zone.test.`), type };
  return [...minimisedQuestions(one, zone, whole), whole]
    .map(({ name, type: asked }) => `${name === zone ? '@' : name.slice(0, -'.zone.test.'.length)}/${asked}`)
    .join(' ');
}

const NUMBERS = [undefined, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

const STYLES: readonly MinimisationStyle[] = (['A', 'NS'] as const).flatMap((type) =>
  (['not-asked', 'asked'] as const).flatMap((apex) =>
    (['one-each', 'rfc-9156', 'rfc-9156-alike'] as const).flatMap((labels) =>
      (['not-asked', 'asked'] as const).flatMap((wholeNameWithA) =>
        NUMBERS.flatMap((mostAtZone) =>
          NUMBERS.map((mostLabels) => ({
            type,
            apex,
            labels,
            ...(mostAtZone !== undefined && { mostAtZone }),
            ...(mostLabels !== undefined && { mostLabels }),
            wholeNameWithA,
          })),
        ),
      ),
    ),
  ),
);

function picks({ old: { picks: before }, count, settle }: Bench): Profile['picks'] {
  const first = (of: string, situation: string, show: (address: number) => string) =>
    count(of, situation, (lookedUp) => {
      const [step] = stepsOf(lookedUp);
      return step && show(step.address);
    });
  const lone = (address: number) => (address === 3 ? 'a name with 1' : 'a name with 3');
  const byAddress = { 'a name with 3': 0.75, 'a name with 1': 0.25 };
  const byName = { 'a name with 3': 0.5, 'a name with 1': 0.5 };
  const by = first('picks.by', 'picks: a name with 3 addresses, a name with 1', lone);
  const gluedFirst = first('picks.gluedFirst', 'picks: with glue, without glue', (address) =>
    address === 0 ? 'with glue' : 'without glue',
  );
  const again = count('picks.again', 'picks: 4 with glue, 3 labels', (lookedUp) => {
    const [one, two] = stepsOf(lookedUp);
    if (one === undefined || two === undefined) return undefined;
    return one.address === two.address ? 'the same server' : 'another server';
  });
  const slow = [20, 60, 100, 150].map((ms) =>
    first('picks.busy', `busy: ${ms} ms slower`, (address) =>
      address === 0 ? 'the slow one' : 'the fast one',
    ),
  );
  const afterError = count('picks.afterError', 'picks: 3 with glue, an error, 3 labels', (lookedUp) => {
    const [one, two, three] = stepsOf(lookedUp);
    if (one?.address !== 0 || two === undefined || three === undefined) return undefined;
    if (three.address === two.address) return 'the one that answered';
    return three.address === 0 ? 'the one with an error' : 'the third';
  });
  return {
    ...before,
    by: settle(
      'picks.by',
      before.by,
      likeliest(
        before.by,
        [
          ['address', byAddress],
          ['name', byName],
        ],
        by,
      ),
    ),
    gluedFirst: settle(
      'picks.gluedFirst',
      before.gluedFirst,
      likeliest<Profile['picks']['gluedFirst']>(
        before.gluedFirst,
        [
          [
            { of: 1, in: 1 },
            { 'with glue': 1, 'without glue': 0 },
          ],
          [
            { of: 19, in: 20 },
            { 'with glue': 0.975, 'without glue': 0.025 },
          ],
          ['alike', { 'with glue': 0.5, 'without glue': 0.5 }],
        ],
        gluedFirst,
      ),
    ),
    again: settle(
      'picks.again',
      before.again,
      likeliest(
        before.again,
        [
          ['any', { 'the same server': 0.25, 'another server': 0.75 }],
          ['unheard-first', { 'the same server': 0, 'another server': 1 }],
        ],
        again,
      ),
    ),
    afterError:
      before.again === 'any'
        ? before.afterError
        : settle('picks.afterError', before.afterError, errorsCount(before.afterError, afterError)),
    busy: settle('picks.busy', before.busy, busyBy(before.busy, slow)),
  };
}

/** Whom it asks third shows whether an error counts as heard; whether it counts for less is not measured. */
function errorsCount(
  before: Profile['picks']['afterError'],
  { 'the one with an error': bad = 0, 'the third': third = 0 }: Counts,
): Profile['picks']['afterError'] | undefined {
  if (bad + third === 0) return before;
  const counts = likeliest<'heard' | 'unheard'>(
    before === 'unheard' ? before : 'heard',
    [
      ['heard', { bad: 0, third: 1 }],
      ['unheard', { bad: 0.5, third: 0.5 }],
    ],
    { bad, third },
  );
  return counts === 'heard' && before === 'heard-last' ? before : counts;
}

function busyBy(
  before: Profile['picks']['busy'],
  slow: readonly Counts[],
): Profile['picks']['busy'] | undefined {
  const [least, ...others] = slow.map((counts) => (counts['the slow one'] ?? 0) / Math.max(1, sumOf(counts)));
  if (least === undefined || others.length === 0) return undefined;
  if (slow.some((counts) => sumOf(counts) === 0)) return undefined;
  if (others.every((share) => share < 0.25)) return { kind: 'fastest' };
  return least > 0.35 && before.kind === 'band' ? before : undefined;
}

function glue({ old, count, settle }: Bench): Profile['glue'] {
  const decided = (['parent', 'sibling'] as const).map((where) =>
    likeliest<Profile['glue']['taken']>(
      old.glue.taken,
      [
        ['all', { 'in-domain': 0.5, [where]: 0.5 }],
        ['in-domain', { 'in-domain': 1, [where]: 0 }],
      ],
      count('glue.taken', `glue: in-domain, ${where}`, (lookedUp) => {
        const [step] = stepsOf(lookedUp);
        return step && (step.address === 0 ? 'in-domain' : where);
      }),
    ),
  );
  const [taken, sibling] = decided;
  const fails = count(
    'glue.afterErrors',
    'glue: registry address of a sibling REFUSED, own address in order',
    endOf,
  );
  const failing = most(fails);
  const names = 'picks: a name with 3 addresses, a name with 1, without glue';
  const lookups = most(
    count('glue.lookups', names, ({ asked }) => {
      if (asked.some(({ name }) => name === 'L.host.')) return 'minimised';
      return asked.some(({ name }) => name.endsWith('.L.host.')) ? 'whole' : undefined;
    }),
  );
  const afterErrors =
    failing === 'taken' ? 'looked-up' : failing === 'SERVFAIL' ? 'not-looked-up' : undefined;
  return {
    taken: settle('glue.taken', old.glue.taken, taken === sibling ? taken : undefined),
    // Who looks them up anyway does so before all else.
    afterErrors:
      taken === 'in-domain'
        ? old.glue.afterErrors
        : settle('glue.afterErrors', old.glue.afterErrors, afterErrors),
    lookups: settle(
      'glue.lookups',
      old.glue.lookups,
      lookups === 'minimised' || lookups === 'whole' ? lookups : undefined,
    ),
  };
}

function aliases({ old, count, settle }: Bench): Profile['aliases'] {
  const asked = count('aliases.target', 'alias: target with the same parent, 3 servers', (lookedUp) =>
    lookedUp.asked.some(({ name }) => name === 'to') ? 'asked' : 'taken',
  );
  count('aliases.target', 'alias: target deeper, 3 servers', (lookedUp) =>
    lookedUp.asked.some(({ name }) => name === 'to.z') ? 'asked' : 'taken',
  );
  const back = ['alias: leads back at 1 of 2', 'alias: to itself at 1 of 2'].map((situation) =>
    count('aliases.leadingBack', situation, (lookedUp) => {
      const steps = stepsOf(lookedUp);
      return steps[0]?.address === 0 ? (endOf(lookedUp) === 'SERVFAIL' ? 'SERVFAIL' : 'answered') : undefined;
    }),
  );
  const target = { asked: 'asked', taken: 'taken-beside' } as const;
  const heard = most(asked);
  const [, itself] = back.map(most);
  return {
    target: settle(
      'aliases.target',
      old.aliases.target,
      heard === 'asked' || heard === 'taken' ? target[heard] : undefined,
    ),
    leadingBack: settle(
      'aliases.leadingBack',
      old.aliases.leadingBack,
      itself === undefined ? undefined : itself === 'SERVFAIL' ? 'end' : 'next-server',
    ),
  };
}

function families({ old, count, settle }: Bench): Profile['families'] {
  const both = count('families', 'families: IPv4, IPv6', (lookedUp) => {
    const [step] = stepsOf(lookedUp);
    return step && (step.address === 0 ? 'IPv4' : 'IPv6');
  });
  const alone = most(count('families', 'families: IPv6 alone', endOf));
  if (alone === 'SERVFAIL') return { kind: 'ipv4' };
  const decided = likeliest<'all' | 'ipv6-first'>(
    old.families.kind === 'ipv6-first' ? 'ipv6-first' : 'all',
    [
      ['all', { IPv4: 0.5, IPv6: 0.5 }],
      ['ipv6-first', { IPv4: 0, IPv6: 1 }],
    ],
    both,
  );
  if (decided === 'all') return { kind: 'all' };
  return old.families.kind === 'ipv6-first' && decided !== undefined
    ? old.families
    : settle('families', old.families, undefined);
}

function fallback({ old, count, settle }: Bench, kind: Fallback): FallbackReaction {
  const of = `fallbacks.${kind}`;
  const one = count(of, nameOf(FALLBACK_TROUBLES[kind], 'every question', '1 of 2'), (lookedUp) => {
    const steps = stepsOf(lookedUp);
    if (steps[0]?.address !== 0) return undefined;
    return steps.some(({ address }) => address !== 0) ? 'next server' : endOf(lookedUp);
  });
  if (most(one) === 'taken') return 'same-server';
  if (most(one) !== 'next server') return settle(of, old.fallbacks[kind], undefined);
  const alone = most(count(of, nameOf(FALLBACK_TROUBLES[kind], 'every question', '1 of 1'), endOf));
  const decided = alone === 'taken' ? 'rather-elsewhere' : alone === 'SERVFAIL' ? 'next-server' : undefined;
  return settle(of, old.fallbacks[kind], decided);
}

function tcp({ old: { tcp: before }, measured, count, settle }: Bench): Profile['tcp'] {
  const reaction = (of: 'dropped' | 'silent') => {
    const counts = count(`tcp.${of}`, `truncation, TCP ${of}: 1 of 2`, (lookedUp) => {
      const steps = stepsOf(lookedUp);
      if (steps[0]?.address !== 0) return undefined;
      return steps.some(({ address }) => address !== 0) ? 'next server' : endOf(lookedUp);
    });
    const heard = most(counts);
    if (heard === 'next server') return 'next-server';
    return settle(`tcp.${of}`, before[of], heard === 'SERVFAIL' ? 'end-of-all' : undefined);
  };
  const waits = measured('truncation, TCP dropped: 1 of 2').flatMap((lookedUp) => {
    const [first, ...others] = stepsOf(lookedUp);
    const next = others.find(({ address }) => address !== 0);
    return first?.address === 0 && next !== undefined ? [next.afterMs - first.afterMs] : [];
  });
  const middle = median(waits);
  const isKept = middle === undefined || Math.abs(middle - before.waitMs) < before.waitMs / 2;
  // Who asks another server over TCP first does not wait.
  const isMet = isKept || middle > 100;
  if (middle !== undefined)
    count('tcp.waitMs', 'truncation, TCP dropped: 1 of 2', ({ asked }) =>
      asked.length > 1 ? `about ${secondsOf(middle)}` : undefined,
    );
  return {
    waitMs: isKept || !isMet ? before.waitMs : 100 * Math.round(middle / 100),
    dropped: reaction('dropped'),
    silent: reaction('silent'),
  };
}

function tries({ old, measured, count, settle }: Bench): Tries {
  const alone = count('tries', 'tries: 1 of 1 REFUSED', queries);
  const all = count('tries', 'tries: 8 of 8 REFUSED', queries);
  const silent = count('tries', 'tries: 1 of 1 silent', (lookedUp) => queriesUntil(lookedUp, AGAIN_MS));
  const before = old.tries;
  switch (before.kind) {
    case 'by-patience': {
      const perFailing = Number(most(alone));
      const inVain = nameOf('silence', 'minimised questions', '1 of 1');
      const minimised = count(
        'tries',
        inVain,
        ({ asked }) => `${asked.filter((one) => isOfZone(one) && one.name === 'y').length} minimised`,
      );
      const packets = packetsOf(measured('tries: 1 of 1 silent'));
      const silences = Number.parseInt(most(minimised) ?? '', 10) / (packets ?? before.packets);
      const late = most(
        count('tries.afterSilence', 'tries: 1 of 1 takes 600 ms', (lookedUp) => {
          const after = Number(queriesUntil(lookedUp, AGAIN_MS)) - (packets ?? before.packets);
          return after === 1 ? 'taken' : after === 2 ? 'asked again' : undefined;
        }),
      );
      const afterSilence = { taken: 'taken', 'asked again': 'asked-again' } as const;
      return {
        ...before,
        packets: settle('tries', before.packets, packets),
        perFailing: settle('tries', before.perFailing, orNone(perFailing)),
        afterSilence: settle(
          'tries.afterSilence',
          before.afterSilence,
          late === 'taken' || late === 'asked again' ? afterSilence[late] : undefined,
        ),
        ...(before.mostMinimised !== undefined && {
          mostMinimised: settle('tries', before.mostMinimised, orNone(silences)),
        }),
      };
    }
    case 'in-turn': {
      const failing = Number(most(all));
      const { mostFailing: _, ...others } = before;
      const rounds = Number(most(silent)) - 1;
      // Rounds after the user has asked again are not seen.
      const isLess = rounds <= before.rounds && (before.rounds === 0 || rounds > 0);
      return {
        ...others,
        rounds: settle('tries', before.rounds, isLess ? before.rounds : orNone(rounds)),
        ...(Number.isNaN(failing)
          ? before.mostFailing !== undefined && { mostFailing: before.mostFailing }
          : failing < 8 && { mostFailing: failing }),
      };
    }
  }
}

/** Whether the second packet to an address that is silent is waited for as long as the first, or twice as long. */
function packetsOf(lookedUp: readonly LookedUp[]): 1 | 2 | undefined {
  const ratio = median(
    lookedUp.flatMap(({ asked }) => {
      const [one, two, three] = asked.filter(isOfZone).map(({ afterMs }) => afterMs);
      return one === undefined || two === undefined || three === undefined
        ? []
        : [(three - two) / (two - one)];
    }),
  );
  if (ratio === undefined) return undefined;
  return ratio > 0.8 && ratio < 1.3 ? 2 : ratio > 1.7 && ratio < 2.3 ? 1 : undefined;
}

/** When the user asks again. */
const AGAIN_MS = 4_900;

function orNone(number: number): number | undefined {
  return Number.isNaN(number) ? undefined : number;
}

function queries(lookedUp: LookedUp): string {
  return queriesUntil(lookedUp, Number.POSITIVE_INFINITY);
}

function queriesUntil({ asked }: LookedUp, ms: number): string {
  return `${asked.filter((one) => isOfZone(one) && one.afterMs < ms).length}`;
}

function time({ old, measured, count, settle }: Bench): Profile['time'] {
  const closed = count('time.closedPort', 'tries: 1 of 1 closed port', ({ heard }) =>
    heard !== undefined && heard.afterMs < NOTICED_MS ? 'SERVFAIL at once' : 'later, or nothing',
  );
  const noticed = most(closed);
  const gaps = measured('tries: 1 of 1 silent').map(({ asked }) =>
    asked
      .filter((one) => isOfZone(one) && one.afterMs < AGAIN_MS)
      .map(({ afterMs }, i, all) => afterMs - (all[i - 1]?.afterMs ?? afterMs))
      .slice(1),
  );
  const perWait = old.tries.kind === 'by-patience' ? (packetsOf(measured('tries: 1 of 1 silent')) ?? 1) : 1;
  const waits = old.time.toNextTry.map((wait, i) => {
    const seen = gaps.flatMap((one) => one[i * perWait] ?? []);
    const middle = median(seen);
    return middle === undefined || Math.abs(middle - wait) < wait / 3 ? wait : 10 * Math.round(middle / 10);
  });
  const about = waits.slice(0, Math.max(0, ...gaps.map(({ length }) => Math.ceil(length / perWait))));
  count('time.toNextTry', 'tries: 1 of 1 silent', () => `waits of about ${about.map(secondsOf).join(', ')}`);
  const [firstWait = old.time.toNextTry[0], ...laterWaits] = waits;
  return {
    ...old.time,
    toNextTry: settle('time.toNextTry', old.time.toNextTry, [firstWait, ...laterWaits]),
    closedPort: settle(
      'time.closedPort',
      old.time.closedPort,
      noticed === undefined ? undefined : noticed === 'SERVFAIL at once' ? 'noticed' : 'silent',
    ),
  };
}

const NOTICED_MS = 300;

function ownSet({ old, count, settle }: Bench): Profile['ownSet'] {
  const used = most(
    count('ownSet.used', 'own NS records: another server in order, known', (lookedUp) => {
      const [step] = stepsOf(lookedUp);
      return step && (step.address === 0 ? 'the delegated one' : 'its own');
    }),
  );
  const asked = most(
    count('ownSet.asked', 'own NS records: another server in order, known, 3 labels', (lookedUp) => {
      const [first, ...others] = stepsOf(lookedUp);
      if (first?.address !== 1 || others.length === 0) return undefined;
      if (others.every(({ address }) => address === 1)) return 'its own';
      return others.every(({ address }) => address === 0) ? 'its own once' : 'both';
    }),
  );
  const questions = { 'its own': 'all', 'its own once': 'first-question' } as const;
  const failing = most(count('ownSet.whenFailing', 'own NS records: another server refuses, known', endOf));
  const users = { 'its own': 'used', 'the delegated one': 'not-used' } as const;
  return {
    ...old.ownSet,
    used: settle(
      'ownSet.used',
      old.ownSet.used,
      used === 'its own' || used === 'the delegated one' ? users[used] : undefined,
    ),
    asked: settle(
      'ownSet.asked',
      old.ownSet.asked,
      asked === 'its own' || asked === 'its own once' ? questions[asked] : undefined,
    ),
    whenFailing: settle(
      'ownSet.whenFailing',
      old.ownSet.whenFailing,
      failing === 'taken' ? 'delegation' : failing === 'SERVFAIL' ? 'servfail' : undefined,
    ),
  };
}

/** A query to a server of the zone for a name of the zone. */
type Step = Asked & { readonly address: number };

function isOfZone(one: Asked): one is Step {
  return typeof one.address === 'number' && !/^(ns|own)\d+$/.test(one.name);
}

/** The queries to the zone's servers but those for names of servers, without those that only repeat the one before. */
function stepsOf({ asked }: LookedUp): readonly Step[] {
  return asked
    .filter(isOfZone)
    .filter((one, i, all) => all[i - 1]?.address !== one.address || all[i - 1]?.name !== one.name);
}

/** What its user got: a reply that was taken from a server, whatever its rcode, or none. */
function endOf({ heard }: LookedUp): 'taken' | 'SERVFAIL' | 'nothing' {
  if (heard === undefined) return 'nothing';
  return heard.reply.rcode === 'SERVFAIL' ? 'SERVFAIL' : 'taken';
}

/** What nearly all look-ups show. */
function most(counts: Counts): string | undefined {
  const [what, count = 0] = Object.entries(counts).sort((a, b) => b[1] - a[1])[0] ?? [];
  return count >= NEARLY_ALL * sumOf(counts) ? what : undefined;
}

const NEARLY_ALL = 0.75;

function sumOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** The value of before if the counts agree with its shares, else the one that they agree with best; none: with no one. */
function likeliest<T>(
  before: T,
  candidates: readonly (readonly [T, Readonly<Record<string, number>>])[],
  counts: Counts,
): T | undefined {
  if (sumOf(counts) === 0) return undefined;
  const seen = new Map(Object.entries(counts));
  const fits = candidates.map(([value, shares]) => {
    const softened = new Map(
      Object.entries(shares).map(([what, share]) => [what, RARE / 2 + (1 - RARE) * share]),
    );
    return { value, p: pValue(softened, seen) };
  });
  const agreeing = fits.filter(({ p }) => p >= LEVEL).sort((a, b) => b.p - a.p);
  const kept = agreeing.find(({ value }) => JSON.stringify(value) === JSON.stringify(before));
  return (kept ?? agreeing[0])?.value;
}

/** What is rarer may be due to a packet that came late. */
const RARE = 0.02;
const LEVEL = 0.01;

function secondsOf(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function median(numbers: readonly number[]): number | undefined {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
}

function tally(items: readonly string[]): Counts {
  const counts: Record<string, number> = {};
  for (const item of items) counts[item] = (counts[item] ?? 0) + 1;
  return counts;
}

/** The table with other values for some keys. */
function changed<K extends string, Some extends K, V>(
  before: Readonly<Record<K, V>>,
  keys: readonly Some[],
  value: (key: Some) => V,
): Readonly<Record<K, V>> {
  const after: Record<K, V> = { ...before };
  for (const key of keys) after[key] = value(key);
  return after;
}
