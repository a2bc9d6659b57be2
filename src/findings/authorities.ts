/* Checks what certificate authorities find above a name without CAA records (RFC 8659 3). */

import { comparableData } from '../dns/record.ts';
import { grouped, listed } from '../document/words/lists.ts';
import { dataText, plain } from '../document/words/names.ts';
import type { Exchanged } from '../exchange/exchanged.ts';
import { meaningFor } from '../explore/classify.ts';
import type { Meaning } from '../explore/meaning.ts';
import { namesAbove } from '../explore/usual-probes.ts';
import { type Checks, type Draft, either, serverWords } from './check.ts';
import { type Contact, contactAsked, type Evidence } from './evidence.ts';

/** Which CAA records count for a name that has none of its own? */
export const AUTHORITY_CHECKS = {
  CAA_FAILS: either((evidence) => decidedAbove(evidence, 'fails'), failingAtHost),
  CAA_ABOVE: (evidence) => decidedAbove(evidence, 'answers'),
} satisfies Checks;

/** The zone that decides is the first whose servers do not say that there is nothing. */
function decidedAbove(evidence: Evidence, wanted: 'fails' | 'answers'): readonly Draft[] {
  const drafts: Draft[] = [];
  const { name } = evidence.scope.question;
  for (const above of namesAbove(name)) {
    const said = saidIn(evidence).filter(({ exchanged }) => exchanged.question.name === above);
    const [first] = said;
    if (first === undefined) return drafts;
    const { zone } = first.contact;
    const proof = said.map(({ exchanged }) => exchanged);
    const records = said.flatMap(({ meaning }) => (meaning.kind === 'answer' ? [...meaning.records] : []));
    if (records.length > 0) {
      const data = dataText([...new Set(records.map(comparableData))].sort());
      if (wanted === 'answers')
        drafts.push({
          zone,
          problem: `${plain(name)} has no CAA records, so those of ${plain(above)} (${data}) count for it`,
          advice: `Nothing needs repair if they are meant for ${plain(name)}, too`,
          proof,
        });
      return drafts;
    }
    if (said.some(({ meaning }) => meaning.kind === 'nodata' || meaning.kind === 'nxdomain')) continue;
    const failures = [...new Set(said.flatMap(({ meaning }) => failureIn(meaning) ?? []))];
    if (wanted === 'fails' && failures.length > 0) {
      const servers = serverWords(said.map(({ contact }) => contact.server));
      drafts.push({
        zone,
        problem: `Certificate authorities find no CAA records of ${plain(name)} and get ${listed(failures)} for those of ${plain(above)} from ${listed(servers)}, so they issue no certificate for ${plain(name)}`,
        advice: 'Make these servers reply to CAA questions, with records or NODATA',
        proof,
      });
    }
    return drafts;
  }
  return drafts;
}

/** CAA_FAILS, of a host that is asked about with `--check`: nobody may need a certificate for it. */
function failingAtHost(evidence: Evidence): readonly Draft[] {
  const drafts: Draft[] = [];
  const { type, name: asked } = evidence.scope.question;
  if (type === 'CAA') return drafts;
  for (const said of grouped(saidIn(evidence), ({ exchanged }) => exchanged.question.name)) {
    const [first] = said;
    const failures = said.flatMap(({ meaning }) => failureIn(meaning) ?? []);
    if (failures.length < said.length) continue;
    const { name } = first.exchanged.question;
    drafts.push({
      zone: first.contact.zone,
      severity: 'notice',
      problem: `Certificate authorities get ${listed([...new Set(failures)])} for the CAA records of ${plain(name)} from ${listed(serverWords(said.map(({ contact }) => contact.server)))}, so they issue no certificate for ${plain(asked)}`,
      advice: 'Make these servers reply to CAA questions, with records or NODATA',
      proof: said.map(({ exchanged }) => exchanged),
    });
  }
  return drafts;
}

interface Said {
  readonly contact: Contact;
  readonly exchanged: Exchanged;
  readonly meaning: Meaning;
}

/** What the probes for CAA records brought. */
function saidIn({ recording, contacts }: Evidence): readonly Said[] {
  return recording.probes.flatMap((exchanged): readonly Said[] => {
    const contact = exchanged.probe === 'authorities' ? contactAsked(exchanged, contacts) : undefined;
    return contact ? [{ contact, exchanged, meaning: meaningFor(exchanged, contact.zone) }] : [];
  });
}

function failureIn(meaning: Meaning): string | undefined {
  switch (meaning.kind) {
    case 'error':
      return meaning.rcode;
    case 'timeout':
    case 'unreachable':
      return 'no reply';
    case 'malformed':
    case 'lame':
      return 'no usable reply';
    case 'answer':
    case 'alias':
    case 'alias-loop':
    case 'nodata':
    case 'nxdomain':
    case 'referral':
      return undefined;
  }
}
