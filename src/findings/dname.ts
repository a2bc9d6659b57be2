import { named, plain } from '../reading/names.ts';
import type { Name } from '../wire/name.ts';
import { aliasAt } from './alias-at.ts';
import { byContact } from './by-contact.ts';
import type { Heard } from './evidence.ts';

/** DNAME_BAD_SYNTHESIS: a DNAME without the CNAME that it makes beside it, or with another one. */
export const badSynthesis = byContact(
  (heard) => flaw(heard) !== undefined,
  (server, zone, first) =>
    `${named(server)} sends a DNAME record of ${plain(zone)} ${flaw(first)}, which resolvers that do not know DNAME need: repair or update that server.`,
);

/** Follows the aliases of the reply from the question's name on, up to the first DNAME that is badly done. */
function flaw({ exchanged: { outcome, question } }: Heard): string | undefined {
  if (outcome.kind !== 'reply' || !outcome.answer.some(({ type }) => type === 'DNAME')) return undefined;
  const seen = new Set<Name>();
  let name: Name | undefined = question.name;
  while (name !== undefined && !seen.has(name)) {
    seen.add(name);
    const { cnames, dname } = aliasAt(outcome.answer, name);
    const [target] = cnames;
    // RFC 6672 2.2: what does not fit in a name is not made; such a reply is YXDOMAIN.
    if (dname?.makes !== undefined) {
      if (target === undefined) return 'without the CNAME record that it makes';
      if (target !== dname.makes) return `beside a CNAME record that it does not make (${plain(target)})`;
    }
    name = target ?? dname?.makes;
  }
  return undefined;
}
