import { listed } from '../reading/listed.ts';
import { asked, named, plain, quoted } from '../reading/names.ts';
import type { Name } from '../wire/name.ts';
import { aliasAt } from './alias-at.ts';
import type { Check, Draft } from './draft.ts';
import type { Heard } from './evidence.ts';
import { firstOfEach } from './first-of-each.ts';

/** ANSWERS_DIFFER: servers of one zone give different RRsets for one question. To ANY each may choose (RFC 8482). */
export const answersDiffer: Check = ({ panels }) =>
  [...panels.values()].flatMap((panel): Draft[] => {
    if (panel.question.type === 'ANY') return [];
    const said = panel.heard.map(sayingOf).filter((one) => one !== undefined);
    const aliases = firstOfEach(said, ({ alias }) => alias ?? '-');
    const data = firstOfEach(
      said.filter((one) => one.data !== undefined),
      (one) => one.data?.join('\n') ?? '',
    );
    const sides = aliases.length > 1 ? aliases : data;
    if (sides.length < 2) return [];
    const words = sides.map((one) => `${named(one.heard.server)} says ${wordsOf(one)}`);
    const message = `The servers of ${plain(panel.zone)} give different answers to ${asked(panel.question)}: ${listed(words)}; bring all of them to the same version of the zone.`;
    return [{ zone: panel.zone, message, proof: said.map(({ heard }) => heard.exchanged) }];
  });

/** What a reply says at the question's name: an alias's target, and the data at the end as far as it goes. */
interface Saying {
  readonly heard: Heard;
  readonly alias: Name | undefined;
  readonly data: readonly string[] | undefined;
}

function sayingOf(heard: Heard): Saying | undefined {
  const { response } = heard;
  if (response.kind === 'alias') return { heard, alias: firstTarget(heard), data: undefined };
  if (response.kind !== 'answer') return undefined;
  const data = [...new Set(response.records.map((record) => record.data))].sort();
  return { heard, alias: response.aliases.length > 0 ? firstTarget(heard) : undefined, data };
}

/** Where the alias at the question's name leads. */
function firstTarget({ exchanged: { outcome, question } }: Heard): Name | undefined {
  if (outcome.kind !== 'reply') return undefined;
  const { cnames, dname } = aliasAt(outcome.answer, question.name);
  return cnames[0] ?? dname?.makes;
}

function wordsOf({ alias, data }: Saying): string {
  if (alias !== undefined) return `alias of ${plain(alias)}`;
  return quoted(data ?? []);
}

/** EXISTENCE_DIFFERS: to some servers of a zone the name exists, to others it does not. */
export const existenceDiffers: Check = ({ panels }) =>
  [...panels.values()].flatMap((panel): Draft[] => {
    const denying = panel.heard.filter(({ response }) => response.kind === 'nxdomain');
    const knowing = panel.heard.filter(isKnowing);
    const [no, yes] = [denying[0], knowing[0]];
    if (no === undefined || yes === undefined) return [];
    const message = `The servers of ${plain(panel.zone)} do not agree that ${plain(panel.question.name)} exists: ${named(no.server)} says no, ${named(yes.server)} says yes; bring all of them to the same version of the zone.`;
    const proof = [...denying, ...knowing].map(({ exchanged }) => exchanged);
    return [{ zone: panel.zone, message, proof }];
  });

function isKnowing({ response }: Heard): boolean {
  return response.kind === 'answer' || response.kind === 'alias' || response.kind === 'nodata';
}
