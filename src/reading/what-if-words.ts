import type { WhatIfRow } from '../document/result.ts';
import { withoutFinalDot } from '../wire/name.ts';
import { listed } from './words/listed.ts';
import { plain } from './words/names.ts';

/** What is imagined: "ns1.a.example is down and ns2.a.example is gone". */
export function whatIfWords({ down, without, only, delegate }: WhatIfRow): string {
  const parts = [
    ...delegate.map(plannedWords),
    ...(down.length === 0 ? [] : [`${namesOf(down)} down`]),
    ...(without.length === 0 ? [] : [`${namesOf(without)} gone`]),
    ...(only.length === 0 ? [] : [`only ${namesOf(only)} left`]),
  ];
  return listed(parts, parts.length);
}

/** What is planned of a zone: "a.example is delegated to ns1.a.example". */
export function plannedWords({ zone, nameservers }: WhatIfRow['delegate'][number]): string {
  return `${plain(zone)} is delegated to ${listed(nameservers.map(({ name }) => plain(name)))}`;
}

/** "ns1.a.example is", "192.0.2.1 and 192.0.2.2 are" */
function namesOf(servers: readonly string[]): string {
  const names = servers.map(withoutFinalDot);
  return `${listed(names)} ${names.length === 1 ? 'is' : 'are'}`;
}
