import type { BogusReason } from '../../dns/dnssec/reasons.ts';
import { questionKey } from '../../dns/message.ts';
import { type Name, ROOT } from '../../dns/name.ts';
import { bogusReason } from '../../document/words/end-words.ts';
import { firstOfEach } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';
import type { PickedServer } from '../../evaluate/end.ts';
import type { FindingCode } from '../../findings/catalogue.ts';
import {
  type Action,
  type Advice,
  type BogusEnd,
  delegatedAt,
  namesText,
  numberOf,
  operatorOf,
  ownerOf,
  type ResultContext,
} from '../advice.ts';
import type { ResultIndex } from '../views/result-index.ts';

/** Explains why what servers say does not verify. */
export function explainBogus(end: BogusEnd, context: ResultContext): Advice {
  const { question, zone, reason } = end;
  const atFault = context.bogusServers(end);
  const who =
    atFault.length === 0
      ? `servers of ${plain(zone)} say`
      : `${namesText(atFault)} ${SAY[numberOf(atFault)]}`;
  const luck = reason === 'wrong-key' && context.isFoundIn('KEYS_DIFFER', zone) ? SERVERS_KEYS : '';
  const code = DETAILED[reason];
  const more = code !== undefined && context.isFoundIn(code, zone) ? ` ${code} says why.` : '';
  return {
    means: `What ${who} about ${plain(question.name)} (${question.type}) does not verify: ${bogusReason(reason, zone)}.${luck}${more} Validating resolvers refuse it; users of others notice nothing.`,
    actions: [atFault.length === 0 ? remedyOf(zone, reason, context) : reload(zone, atFault)],
  };
}

function remedyOf(zone: Name, reason: BogusReason, context: ResultContext): Action {
  // The root has no DS records: what its keys do not fit is the user's own.
  if (zone === ROOT && reason === 'no-matching-ds')
    return { who: 'you', what: 'renew the trust anchors, or give those of this root with --trust-anchor' };
  return { who: ownerOf(zone), what: REMEDIES[reason](plain(zone), delegatedAt(zone, context)) };
}

const SAY = { one: 'says', several: 'say' } as const;

const SERVERS_KEYS =
  ' Its servers publish different keys, so it depends on which of them a resolver asked for the keys.';

/** Findings that show the records by which something does not verify. */
const DETAILED: Readonly<Partial<Record<BogusReason, FindingCode>>> = {
  'no-proof': 'DENIAL_BROKEN',
  'no-matching-ds': 'DS_NO_MATCH',
};

/** Where other servers of the zone do it right, it takes no more than their version of the zone. */
function reload(zone: Name, servers: readonly PickedServer[]): Action {
  return {
    who: operatorOf(servers),
    what: `serve ${plain(zone)} as its other servers do, whose replies verify: load the present version of the signed zone, and find out why that did not happen by itself`,
  };
}

/** What helps, by the zone and by where its delegation is changed. */
type Remedy = (zone: string, atParent: string) => string;

const signAgain: Remedy = (zone) =>
  `sign ${zone} again, have every server load it, and see to it that this happens by itself in good time`;

const KEYS_OR_DS: Remedy = (zone, atParent) =>
  `make the keys of ${zone} and its DS records agree: replace the DS records (${atParent}), or have every server publish the key that they name`;

const REMEDIES: Readonly<Record<BogusReason, Remedy>> = {
  'no-signature': (zone, atParent) =>
    `have every server of ${zone} serve the signed zone and add signatures to its replies; if it is not to be signed, remove its DS records (${atParent})`,
  'wrong-signer': (zone) => `sign the records with the keys of ${zone} itself`,
  'unsupported-algorithm': (zone) => `sign ${zone} with a usual algorithm, such as ECDSAP256SHA256 (13)`,
  'wrong-key': (zone) =>
    `have every server of ${zone} publish the keys that its signatures are made with: a key may go only after the last signature made with it`,
  'not-yet-valid': () => 'set the clock of the machine that signs right, and sign again',
  expired: signAgain,
  'bad-signature': (zone) =>
    `have every server of ${zone} load the whole zone again: records were changed after they were signed`,
  'no-proof': (zone) => `sign ${zone} again, so that its NSEC or NSEC3 records fit what it has`,
  'no-matching-ds': KEYS_OR_DS,
  'no-keys': KEYS_OR_DS,
};

/**
 * The servers at fault for what does not verify, each address once: those whose replies do not, if replies of others of
 * the zone do. None where all are alike, so that the zone is at fault rather than a server.
 */
export function bogusServers(
  { zone, question, reason }: BogusEnd,
  index: ResultIndex,
): readonly PickedServer[] {
  const asked = index.steps.filter(
    (step) => step.zone === zone && questionKey(step.question) === questionKey(question),
  );
  const heard = asked.flatMap(({ nameservers }) =>
    nameservers.flatMap(({ name, addresses }) =>
      addresses.map((row) => ({ name, address: row.address, security: index.security(row, zone) })),
    ),
  );
  if (!heard.some(({ security }) => security?.status === 'secure' || security?.status === 'insecure'))
    return [];
  const atFault = heard.filter(
    ({ security }) =>
      security?.status === 'bogus' && security.reason === reason && security.otherwise === undefined,
  );
  const servers = atFault.map(({ name, address }) => ({ name, address }));
  return firstOfEach(servers, ({ name, address }) => `${name} ${address}`);
}
