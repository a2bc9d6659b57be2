import { plain } from '../reading/names.ts';
import { type Name, ROOT } from '../wire/name.ts';
import { addressSort } from './address-sort.ts';
import type { Check, Draft } from './draft.ts';
import type { Evidence, Heard } from './evidence.ts';

/**
 * NS_ADDR_NOT_GLOBAL: a server has an address that the world cannot reach. What the world is, the
 * root hints say: where root servers are on loopback or documentation addresses (a lab, the demo) such
 * addresses are as good as any, while a private one is still out of~step there. So this does not
 * depend on whether the options allowed to ask such addresses.
 */
export const notGlobal: Check = (evidence) => {
  const { plan, contacts, referred } = evidence;
  const usual = new Set(plan.hints.nameservers.flatMap(({ glue }) => glue.map(addressSort)));
  const inGlue = referred.flatMap(({ delegation: { zone, nameservers }, heard }) =>
    nameservers.flatMap(({ name, glue }) => glue.map((address) => ({ zone, name, address, heard }))),
  );
  const met = contacts.map(({ zone, server: { name, address } }) => ({ zone, name, address, heard: [] }));
  return [...inGlue, ...met].flatMap(({ zone, name, address, heard }): Draft[] => {
    const sort = addressSort(address);
    if (zone === ROOT || sort === 'global' || usual.has(sort)) return [];
    const message = `${plain(name)}, a server of ${plain(zone)}, has the ${sort} address ${address}, which the world cannot reach: give it a public address.`;
    const proof = [...heard, ...answersWith(evidence, name, address)].map(({ exchanged }) => exchanged);
    return [{ zone, server: { name, address }, message, proof }];
  });
};

/** The exchanges that gave this address of this name as an answer. */
function answersWith({ byName }: Evidence, name: Name, address: string): readonly Heard[] {
  return (byName.get(name) ?? []).filter(
    ({ response }) =>
      response.kind === 'answer' &&
      response.records.some(({ type, data }) => (type === 'A' || type === 'AAAA') && data === address),
  );
}
