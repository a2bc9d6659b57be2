import type { End } from '../../evaluate/end.ts';
import { listed } from '../../reading/words/listed.ts';
import { plain, withAddress } from '../../reading/words/names.ts';
import { percentage } from '../../reading/words/percent.ts';
import type { Action, Advice } from './advice.ts';
import type { Decider, Gain, Scene } from './known.ts';
import { numberOf, operatorOf, ownerOf, type Subject, serversText } from './people.ts';

/** An end with an answer, or with a denial. */
type AgreeingEnd = Extract<End, { kind: 'answer' | 'nodata' | 'nxdomain' }>;

/** Explains an end with an answer or a denial. What to do where these differ is said once for all of them. */
export function explainAgreeing(subject: Subject<AgreeingEnd>, context: Scene): Advice {
  const { end } = subject;
  const differs = context.judge(end) !== 'ends-well';
  const actions = [...(differs ? [] : usualActions(end, context)), ...authorityActions(subject)];
  const means = [
    aliasWords(end, context),
    contentWords(end, context),
    ...(differs ? [deciderWords(context.decidingServers(end), end), gainWords(context.gainOf(end))] : []),
    context.agreed ? 'Every path ends this way.' : '',
    differs || actions.length > 0 ? '' : nothingWords(subject, context),
  ];
  return { means: means.filter((words) => words !== '').join(' '), actions };
}

function contentWords(end: AgreeingEnd, { quote }: Scene): string {
  const name = plain(end.question.name);
  switch (end.kind) {
    case 'answer':
      return `Users get ${quote(end)}.`;
    case 'nodata':
      return `Users learn that ${name} exists but has no ${end.question.type} record.`;
    case 'nxdomain':
      return `Users learn that ${name} does not exist.`;
  }
}

function aliasWords({ question }: AgreeingEnd, { query }: Scene): string {
  return question.name === query.name ? '' : `${plain(query.name)} is an alias of ${plain(question.name)}.`;
}

function deciderWords(deciders: readonly Decider[], { zone }: AgreeingEnd): string {
  const [first] = deciders;
  if (first === undefined) return '';
  const number = numberOf(deciders);
  const elsewhere = deciders.every((one) => one.zone === first.zone) && first.zone !== zone;
  const role = `${number === 'one' ? 'a server' : 'servers'} of ${plain(first.zone)}`;
  const who = elsewhere ? `${serversText(deciders)}, ${role},` : serversText(deciders);
  const verb = deciders.every(({ how }) => how === 'answers')
    ? { one: 'says', several: 'say' }
    : { one: 'leads', several: 'lead' };
  return `Only ${who} ${verb[number]} ${verb.one === 'says' ? 'so' : 'there'}.`;
}

function gainWords(gain: Gain | undefined): string {
  if (gain === undefined) return '';
  const { path, resolver, failing } = gain;
  return `A resolver gets this more often than a single path, ${percentage(resolver)} instead of ${percentage(path)}: when ${withAddress(failing)} fails, it tries the other addresses of that name before other names.`;
}

function usualActions(end: AgreeingEnd, { query }: Scene): readonly Action[] {
  const { kind, question, zone } = end;
  if (kind === 'answer') return [];
  if (kind === 'nxdomain' && question.name !== query.name) {
    const what = `correct the alias, or remove it: if ${plain(question.name)} is not registered, anyone can register it and receive its visitors`;
    return [{ who: `the owner of ${plain(query.name)}`, what }];
  }
  return [{ who: ownerOf(zone), what: 'add the record if users should find one; if not, this is right' }];
}

function authorityActions({ end, servers }: Subject<AgreeingEnd>): readonly Action[] {
  if (end.kind !== 'answer' || end.authoritative) return [];
  const what = `serve ${plain(end.zone)} there as an authority: the answer is not authoritative (no AA bit), as if it came from a cache, and may be out of date`;
  return [{ who: operatorOf(servers), what }];
}

/** Nothing needs doing for this end, but its servers can have faults that do not change it. */
function nothingWords({ servers }: Subject<AgreeingEnd>, context: Scene): string {
  const faults = context.faultsAt(context.agreed ? 'anywhere' : servers);
  if (faults.length > 0) return `What still needs repair: ${listed(faults)} (see above).`;
  return context.agreed ? 'There is nothing to do.' : 'Nothing needs repair here.';
}
