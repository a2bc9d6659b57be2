import type { TraversalResult } from '../../document/result.ts';
import type { PickedServer } from '../../evaluate/end.ts';
import { getOrMake } from '../../get-or-make.ts';
import { familyOf } from '../../wire/address.ts';
import type { Name } from '../../wire/name.ts';

/** The addresses that replies with authority give a name server, of the family of the one at which it was asked. */
export function repliedAddresses({
  exchanges,
}: Pick<TraversalResult, 'exchanges'>): (server: PickedServer) => readonly string[] {
  const byName = new Map<Name, Set<string>>();
  for (const { question, flags = [], answer = [] } of exchanges) {
    if (!flags.includes('aa') || (question.type !== 'A' && question.type !== 'AAAA')) continue;
    for (const { name, type, data } of answer) {
      if (name !== question.name || type !== question.type) continue;
      getOrMake(byName, name, () => new Set<string>()).add(data);
    }
  }
  return ({ name, address }) =>
    [...(byName.get(name) ?? [])].filter((one) => familyOf(one) === familyOf(address)).sort();
}
