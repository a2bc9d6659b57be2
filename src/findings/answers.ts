import { aliasAt } from '../explore/alias-records.ts';
import { firstOfEach } from '../reading/grouped.ts';
import { listed } from '../reading/words/listed.ts';
import { asked, dataText, plain, withAddress } from '../reading/words/names.ts';
import type { Name } from '../wire/name.ts';
import type { Check, Draft } from './check.ts';
import type { Heard } from './evidence.ts';
import { exchangesOf } from './heard.ts';

/** Servers differ because transfers fail, or because some should no longer serve the zone. */
const ONE_VERSION =
  'Make every server serve the same version of the zone, and remove those that should not serve it from the delegation';

/**
 * ANSWERS_DIFFER: servers of one zone give different RRsets for one question; an empty one (NODATA)
 * counts. For ANY each server may choose what to send (RFC 8482).
 */
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
    const words = sides.map((one) => `${withAddress(one.heard.server)} returns ${wordsOf(one)}`);
    const problem = `The servers of ${plain(panel.zone)} give different answers to ${asked(panel.question)}: ${listed(words)}`;
    const proof = exchangesOf(said.map(({ heard }) => heard));
    return [{ zone: panel.zone, problem, advice: ONE_VERSION, proof }];
  });

/** What a reply says of the question's name: the target of its alias, and the data, if the reply gets that far. */
interface Saying {
  readonly heard: Heard;
  readonly alias: Name | undefined;
  readonly data: readonly string[] | undefined;
}

function sayingOf(heard: Heard): Saying | undefined {
  const { meaning } = heard;
  if (meaning.kind === 'alias') return { heard, alias: firstTarget(heard), data: undefined };
  if (meaning.kind === 'nodata') return { heard, alias: undefined, data: [] };
  if (meaning.kind !== 'answer') return undefined;
  const data = [...new Set(meaning.records.map((record) => record.data))].sort();
  return { heard, alias: meaning.aliases.length > 0 ? firstTarget(heard) : undefined, data };
}

/** Where the alias at the question's name leads. */
function firstTarget({ exchanged: { outcome, question } }: Heard): Name | undefined {
  if (outcome.kind !== 'reply') return undefined;
  const { cnames, dname } = aliasAt(outcome.answer, question.name);
  return cnames[0] ?? dname?.makes;
}

function wordsOf({ alias, data }: Saying): string {
  if (alias !== undefined) return `an alias of ${plain(alias)}`;
  return data === undefined || data.length === 0 ? 'NODATA' : dataText(data);
}

/** EXISTENCE_DIFFERS: some servers of a zone know the name, others deny that it exists. */
export const existenceDiffers: Check = ({ panels }) =>
  [...panels.values()].flatMap((panel): Draft[] => {
    const denying = panel.heard.filter(({ meaning }) => meaning.kind === 'nxdomain');
    const knowing = panel.heard.filter(isKnowing);
    const [no, yes] = [denying[0], knowing[0]];
    if (no === undefined || yes === undefined) return [];
    const problem = `The servers of ${plain(panel.zone)} disagree on whether ${plain(panel.question.name)} exists: ${withAddress(no.server)} says that it does not, ${withAddress(yes.server)} says that it does`;
    const proof = exchangesOf([...denying, ...knowing]);
    return [{ zone: panel.zone, problem, advice: ONE_VERSION, proof }];
  });

function isKnowing({ meaning }: Heard): boolean {
  return meaning.kind === 'answer' || meaning.kind === 'alias' || meaning.kind === 'nodata';
}
