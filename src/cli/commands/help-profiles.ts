import { keysOf } from '../../base/limits.ts';
import { listed } from '../../document/words/lists.ts';
import { time } from '../../document/words/quantities.ts';
import { wrapped } from '../../document/words/shortened.ts';
import type { BogusReaction, HeardWait, Profile, WholeReaction } from '../../explore/profiles/profile.ts';
import { PROFILE_NAMES, PROFILES } from '../../explore/profiles/profiles.ts';
import { type HelpItem, itemText } from '../process/help.ts';

/** What `svc help profiles` prints, in so many columns: how each product resolves, and the counts that this follows from. */
export function profilesHelp(width: number): string {
  const blocks = PROFILE_NAMES.map((name) => {
    const profile = PROFILES[name];
    const standing = profile.standing === 'default' ? 'shown by default' : 'counts only if named';
    const facts: readonly HelpItem[] = [
      ['Picks', picksWords(profile)],
      ['Next', againWords(profile)],
      [LONGEST_TERM, minimisingWords(profile)],
      ['Replies', repliesWords(profile)],
      ['Retries', triesWords(profile)],
      ['Time', timeWords(profile)],
      ['Validates', validatingWords(profile)],
      ['Counted', countedWords(profile)],
      ['Read', Object.keys(profile.read).join(', ')],
      ...profile.deviations.map(({ text }) => ['Deviates', text] as const),
    ];
    const title = `${name}: ${profile.product}, ${profile.version} measured, ${standing}`;
    return [title, ...facts.map((fact) => itemText(fact, LONGEST_TERM.length, width))].join('\n');
  });
  const intro =
    'Profiles: how resolver products resolve with their default settings. svc traverse shows what their users get (--profiles NAME,... or none); see svc-model(7), PROFILES.';
  return `${[wrapped(intro, width).join('\n'), ...blocks].join('\n\n')}\n`;
}

const LONGEST_TERM = 'Minimises';

const REACTION_WORDS: Readonly<Record<WholeReaction, string>> = {
  end: 'taken',
  doubted: 'the next server, but the second one is taken',
  'next-server': 'the next server',
  'never-again': 'the next server for good',
  'end-of-all': 'SERVFAIL',
};

function repliesWords({ whole }: Profile): string {
  const kinds = Object.entries<WholeReaction>(whole);
  const parts = keysOf(REACTION_WORDS).flatMap((reaction) => {
    const own = kinds.filter((kind) => kind[1] === reaction).map(([kind]) => kind);
    return own.length === 0 ? [] : [`${REACTION_WORDS[reaction]}: ${own.join(', ')}`];
  });
  return parts.join('; ');
}

/** The counts, without their situations, but for those of single kinds of replies and names, which are many. */
function countedWords({ measured, counts }: Profile): string {
  const left = ['whole', 'minimisation.reactions.', 'minimisation.style', 'fallbacks.'];
  const shown = Object.entries(counts).flatMap(([of, text]) => {
    const parts = text.split('; ').map((part) => part.slice(part.lastIndexOf(': ') + 2));
    return left.some((kind) => of.startsWith(kind)) ? [] : [`${of}: ${parts.join('; ')}`];
  });
  return [`lookups of ${measured}`, ...shown].join('. ');
}

function picksWords({ picks }: Profile): string {
  const by = picks.by === 'address' ? 'any address at hand' : 'a name, then its addresses';
  if (picks.gluedFirst === 'alike') return `${by}; names without glue like those with glue`;
  const { of, in: all } = picks.gluedFirst;
  const share = of === all ? 'always first' : `first in ${of} of ${all} picks`;
  return `${by}; servers with glue ${share}`;
}

function againWords({ picks: { again, fastest, lookedUpJoin } }: Profile): string {
  const heard = fastest === 'smoothed' ? 'the fastest by a mean that grows with replies' : 'the fastest';
  const whom = again === 'any' ? 'any server again' : `a server that has not replied yet, then ${heard}`;
  const joining = {
    'next-try': '; names without glue once their lookups have ended',
    'next-question': '; names without glue once their lookups have ended',
    'once-asked': '',
  } as const;
  return `${whom}${joining[lookedUpJoin]}`;
}

function minimisingWords({ minimisation: { style, noServer } }: Profile): string {
  const { type, apex, labels, mostAtZone, mostLabels } = style;
  const parts = [
    `asks for ${type}, ${labels === 'one-each' ? 'one more label each time' : 'labels as in RFC 9156 2.3'}`,
    ...(apex === 'asked' ? ["the zone's own name, too"] : []),
    ...(mostAtZone === undefined ? [] : [`at most ${mostAtZone} at a zone`]),
    ...(mostLabels === undefined ? [] : [`names of at most ${mostLabels} labels`]),
    noServer === 'end-of-all' ? 'SERVFAIL if no server helps' : 'the whole name if no server helps',
  ];
  return parts.join('; ');
}

function triesWords({ tries }: Profile): string {
  switch (tries.kind) {
    case 'in-turn': {
      const again = tries.rounds === 0 ? '' : `; silent addresses up to ${tries.rounds} more times`;
      const all =
        tries.mostFailing === undefined ? 'all servers' : `at most ${tries.mostFailing} failing replies`;
      return `${all}, each address once${again}`;
    }
    case 'by-patience': {
      const minimised =
        tries.mostMinimised === undefined ? '' : `; ${tries.mostMinimised} silences end minimisation`;
      const again = tries.afterSilence === 'taken' ? '' : '; an answer after a silence is asked for again';
      return `${tries.packets === 2 ? 'two packets' : 'a packet'} to an address, then any whose wait is at most ${time(tries.band)} above the shortest${minimised}${again}`;
    }
  }
}

function timeWords({ time: { toNextTry, toHeard, closedPort, ofLookUp, discard } }: Profile): string {
  const waits = listed(toNextTry.map(time), toNextTry.length);
  const parts = [
    `waits ${waits} for a reply`,
    ...(toHeard === undefined ? [] : [heardWords(toHeard)]),
    closedPort === 'noticed' ? 'notices closed ports' : 'treats closed ports as silence',
    ...(ofLookUp === undefined ? [] : [`gives up after ${time(ofLookUp)}`]),
    ...(discard === undefined ? [] : [`sends no reply after ${time(discard)}`]),
  ];
  return parts.join('; ');
}

function heardWords(wait: HeardWait): string {
  switch (wait.kind) {
    case 'round-trips':
      return `for a server that has replied, ${wait.times} round-trip times and at least ${time(wait.more)} more than one`;
    case 'smoothed':
      return 'for a server that has replied, as RFC 6298 says by its round-trip times';
  }
}

const KEYS_ASKED: Readonly<Record<Profile['validation']['keys'], string>> = {
  first: 'before all else at a zone',
  'after-first-reply': 'after the first reply of a zone',
  last: 'after the last reply of a zone',
};

const REACTIONS: Readonly<Record<BogusReaction, string>> = {
  'next-server': 'the next server',
  'never-again': 'another server',
  'end-of-all': 'SERVFAIL',
};

function validatingWords({
  validation: { keys, unsigned, broken, brokenKeys, minimised, provenNxdomain, clients },
}: Profile): string {
  const parts = [
    clients === 'all' ? 'for all clients' : 'only for clients that ask for it',
    `asks for keys ${KEYS_ASKED[keys]}`,
    unsigned === broken
      ? `${REACTIONS[unsigned]} if data do not validate`
      : `${REACTIONS[unsigned]} if signatures are missing, ${REACTIONS[broken]} if they do not verify`,
    ...(brokenKeys === 'taken-if-single' ? ['a single key needs no signature that verifies'] : []),
    ...(minimised.proven === 'not-asked' ? ['asks for no minimised name that NSEC records prove empty'] : []),
    ...(provenNxdomain === 'ends' ? ['NXDOMAIN for a minimised name ends the lookup if it validates'] : []),
  ];
  return parts.join('; ');
}
