import type { Exchanged } from '../../exchange/exchanged.ts';
import { isDisowning, servesSomething } from '../../explore/meaning-for.ts';
import { getOrMake } from '../../get-or-make.ts';
import { listed } from '../../reading/words/listed.ts';
import { plain } from '../../reading/words/names.ts';
import { isAtOrBelow, type Name } from '../../wire/name.ts';
import type { Check } from '../check.ts';
import type { Contact, Evidence } from '../evidence.ts';
import { exchangesOf } from '../heard.ts';
import { zonesOfOtherFamily } from '../proof.ts';
import type { ZoneFacts } from '../zones/zone-facts.ts';

/**
 * NS_PROVIDER_DANGLING: every server of a zone is alive and at work for others, but disowns this zone,
 * whichever way one comes there. Silence proves nothing, and neither does a server that disowns all it is
 * asked for: it may be broken.
 */
export const providerDangling: Check = function* (evidence) {
  const signs = signsOfLife(evidence);
  const unexamined = new Set([...evidence.openWhenWarm, ...zonesOfOtherFamily(evidence)]);
  for (const [zone, facts] of evidence.zones) {
    const contacts = evidence.contacts.filter((contact) => contact.zone === zone);
    const alive = contacts.map(({ server }) => signs.get(server.address)).filter((one) => one !== undefined);
    if (unexamined.has(zone) || contacts.length === 0 || alive.length < contacts.length) continue;
    if (!contacts.every(isDisowned) || isServed(facts) || isSelfHosted(evidence, zone)) continue;
    const names = [...new Set(contacts.map(({ server }) => plain(server.name)))].sort();
    yield {
      zone,
      problem: `All name servers of ${plain(zone)} (${listed(names)}) are at work but do not serve it, so whoever gets them to can take it over`,
      advice: 'Have the zone set up there again, or remove the delegation at once',
      proof: [...contacts.flatMap(({ heard }) => exchangesOf(heard)), ...alive],
    };
  }
};

/** By address: a reply that shows that the server there serves something. */
function signsOfLife({ recording }: Evidence): ReadonlyMap<string, Exchanged> {
  const signs = new Map<string, Exchanged>();
  for (const one of [...recording.exchanges.values(), ...recording.probes]) {
    if (servesSomething(one)) getOrMake(signs, one.address, () => one);
  }
  return signs;
}

function isDisowned({ zone, heard }: Contact): boolean {
  return heard.length > 0 && heard.every(({ exchanged }) => isDisowning(exchanged, zone));
}

/** A server that knows the apex of the zone has something to say of it. */
function isServed({ servers }: ZoneFacts): boolean {
  return servers.some(({ soa, ns }) => soa !== undefined || ns !== undefined);
}

/** The owner of a zone can mend a server in it, and nobody else can get it to serve the zone. */
function isSelfHosted({ resolutions }: Evidence, zone: Name): boolean {
  return resolutions.some(
    (one) => one.zone === zone && (one.failed.length > 0 || isAtOrBelow(one.name, zone)),
  );
}
