import { answerData } from '../../document/summary.ts';
import type { End } from '../../evaluate/end.ts';
import { asked, plain, quoted } from '../../reading/names.ts';
import type { Action, Advice } from './advice.ts';
import { operatorOf, ownerOf, type Scene, type Subject, serversText } from './scene.ts';

type Agreeing = Extract<End, { kind: 'answer' | 'nodata' | 'nxdomain' }>;

/** Ends in which users get what a server has to say: an answer, or that there is none. */
export function explainAgreeing(subject: Subject<Agreeing>, scene: Scene): Advice {
  const { end } = subject;
  const differs = scene.differs(end);
  const means = [aliasWords(end, scene), contentWords(end), ...(differs ? [otherWords(subject, scene)] : [])];
  if (scene.agreed) means.push('All paths end so.');
  const actions = [
    ...(differs ? differingActions(subject, scene) : usualActions(end, scene)),
    ...authorityActions(subject),
  ];
  if (actions.length === 0) means.push('There is nothing to do.');
  return { means: means.filter((words) => words !== '').join(' '), actions };
}

function contentWords(end: Agreeing): string {
  const name = plain(end.question.name);
  switch (end.kind) {
    case 'answer':
      return `Users get ${quoted(answerData(end))}.`;
    case 'nodata':
      return `Users learn that ${name} exists and has no ${end.question.type} record.`;
    case 'nxdomain':
      return `Users learn that there is no such name as ${name}.`;
  }
}

function aliasWords({ question }: Agreeing, { query }: Scene): string {
  return question.name === query.name ? '' : `${plain(query.name)} is an alias of ${plain(question.name)}.`;
}

function otherWords(subject: Subject<Agreeing>, { usual }: Scene): string {
  const here =
    subject.servers.length === 0 ? '' : `Only those get this whose resolver picks ${serversText(subject)}; `;
  return usual.length === 0
    ? `${here}others get something else, and nothing tells which is right.`
    : `${here}most get ${quoted(usual)}.`;
}

function differingActions(subject: Subject<Agreeing>, scene: Scene): readonly Action[] {
  const { question, zone } = subject.end;
  const above = scene.rivalAbove(subject.end);
  if (above !== undefined) {
    const what = `bring the servers of ${plain(above)} to the same version of the zone: some of them do not delegate ${plain(zone)}`;
    return [{ who: ownerOf(above), what }];
  }
  const sync = `bring the servers of ${plain(zone)} to the same version of the zone: compare their SOA serials, repair the transfers between them, and take servers that are not to serve it any more out of the delegation`;
  return [
    { who: ownerOf(zone), what: `find out which answer to ${asked(question)} is right` },
    { who: operatorOf(subject), what: sync },
  ];
}

function usualActions(end: Agreeing, { query }: Scene): readonly Action[] {
  const { kind, question, zone } = end;
  if (kind === 'answer') return [];
  if (kind === 'nxdomain' && question.name !== query.name) {
    const what = `correct the alias, or remove it: if nobody has registered ${plain(question.name)}, anybody can, and take its visitors`;
    return [{ who: `the owner of ${plain(query.name)}`, what }];
  }
  return [
    { who: ownerOf(zone), what: `add the record if users are to find one; else all is as it should be` },
  ];
}

function authorityActions(subject: Subject<Agreeing>): readonly Action[] {
  const { end } = subject;
  if (end.kind !== 'answer' || end.authoritative) return [];
  const what = `serve ${plain(end.zone)} there itself: the answer is not authoritative (no AA bit), as if from a cache, and can be out of date`;
  return [{ who: operatorOf(subject), what }];
}
