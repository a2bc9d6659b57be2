/* Checks whether names that stand for hosts are such that programs take them. */

import { type Name, parseName, ROOT } from '../dns/name.ts';
import { fitsType } from '../dns/record.ts';
import { listed } from '../document/words/lists.ts';
import { plain } from '../document/words/names.ts';
import { atDelegatedName, type Checks, type Draft } from './check.ts';
import type { Evidence } from './evidence.ts';

/** Are names that stand for hosts such that programs take them? */
export const HOST_NAME_CHECKS = {
  NS_NAME_SYNTAX: atDelegatedName({
    when: ({ name }) => !isHostName(name),
    problem: (name, zone) =>
      `The delegation of ${plain(zone)} names ${plain(name)} as a server, which ${isLikeAddress(name) ? 'looks like an address' : 'is not a valid host name'}`,
    advice: 'Name a host there instead',
  }),
  TARGET_NAME_SYNTAX: targetNames,
} satisfies Checks;

/** TARGET_NAME_SYNTAX: an alias, or an MX, NS or SRV record, leads to a name that is none of a host. The root stands for none. */
function targetNames({ mainSteps }: Evidence): readonly Draft[] {
  const drafts: Draft[] = [];
  for (const { delegation, question, visits } of mainSteps) {
    for (const visit of visits.values()) {
      if (visit.kind !== 'asked') continue;
      const { meaning, exchanged } = visit;
      const isOfHost = question.type === 'A' || question.type === 'AAAA';
      const targets =
        meaning.kind === 'alias' && isOfHost && !isTaken(meaning.target)
          ? [meaning.target]
          : meaning.kind === 'answer' && TYPES.has(question.type)
            ? meaning.records
                .filter(fitsType)
                .map(({ data }) => parseName(data.split(' ').at(-1) ?? '.'))
                .filter((name) => name !== ROOT && !isHostName(name))
            : [];
      if (targets.length === 0) continue;
      const wrong = listed([...new Set(targets)].map(plain));
      const names = meaning.kind === 'alias' ? 'is an alias of' : `has ${question.type} records that name`;
      drafts.push({
        zone: delegation.zone,
        problem: `${plain(question.name)} ${names} ${wrong}, no host name, so getaddrinfo, browsers and other programs refuse it`,
        advice: 'Name a host there whose labels have only letters, digits and inner hyphens',
        proof: [exchanged],
      });
    }
  }
  return drafts;
}

const TYPES: ReadonlySet<string> = new Set(['MX', 'NS', 'SRV']);

/** Names of services have underscores, which programs take. */
function isTaken(name: Name): boolean {
  return /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)+$/.test(name);
}

/** RFC 952 and RFC 1123 2.1: letters, digits and inner hyphens; the last label is not a number. */
function isHostName(name: Name): boolean {
  return HOST_NAME.test(name) && !isLikeAddress(name);
}

function isLikeAddress(name: Name): boolean {
  return /(?:^|\.)[0-9]+\.$/.test(name);
}

const HOST_NAME = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+$/;
