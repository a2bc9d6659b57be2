import { isAtOrBelow, type Name } from '../wire/name.ts';
import { causeOf, type End } from './end.ts';

/** A name server's name: at or below the zone that it is to serve (RFC 9499 7, "in-domain"), or not. */
export type Where = 'in-domain' | 'elsewhere';

/** Where a name server of a zone has its name. */
export function whereIs(nameserver: Name, zone: Name): Where {
  return isAtOrBelow(nameserver, zone) ? 'in-domain' : 'elsewhere';
}

/** Question and zone of a step, and one of its name servers whose addresses are looked up there. */
type Lacking = Pick<End, 'question' | 'zone'> & { readonly name: Name; readonly where: Where };

/** The end of a path whose lookup of a server ended without an address: svc-model(7), WALKING A STEP 2.3. */
export function failedLookupEnd({ question, zone, name, where }: Lacking, end: End): End {
  const at = { question, zone, server: null, nameserver: name };
  const cause = causeOf(end);
  switch (where) {
    case 'elsewhere':
      return { kind: 'unresolvable-ns', ...at, cause };
    case 'in-domain':
      return cause.kind === 'no-glue' ? { kind: 'no-glue', ...at } : { kind: 'no-glue', ...at, cause };
  }
}
