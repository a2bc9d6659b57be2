import type { Name } from '../wire/name.ts';
import type { Evidence, Heard } from './evidence.ts';

/** A name server as the delegations of a zone name it, and the exchanges about its addresses. */
export interface DelegatedName {
  readonly zone: Name;
  readonly name: Name;
  readonly heard: readonly Heard[];
}

/** Every name server of every delegation, each zone and name once. */
export function delegatedNames({ referred, byName }: Evidence): readonly DelegatedName[] {
  const names = new Map<string, DelegatedName>();
  for (const { delegation } of referred) {
    for (const { name } of delegation.nameservers) {
      const heard = (byName.get(name) ?? []).filter(isAboutAddresses);
      names.set(`${delegation.zone} ${name}`, { zone: delegation.zone, name, heard });
    }
  }
  return [...names.values()];
}

function isAboutAddresses({ exchanged }: Heard): boolean {
  return exchanged.question.type === 'A' || exchanged.question.type === 'AAAA';
}
