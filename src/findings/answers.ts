import { firstOfEach } from '../reading/grouped.ts';
import { listed } from '../reading/words/listed.ts';
import { asked, dataText, plain, withAddress } from '../reading/words/names.ts';
import type { Name } from '../wire/name.ts';
import type { Check, Draft } from './check.ts';
import type { Evidence, Heard } from './evidence.ts';
import { exchangesOf } from './heard.ts';
import { type Saying, sayingOf } from './sayings.ts';
import { mismatchAdvice } from './zones/ns-set-words.ts';
import { haveTwoProviders, mismatchesIn } from './zones/ns-sets.ts';

/** Servers differ because transfers fail, because some should no longer serve the zone, or because two providers do. */
function oneVersion(evidence: Evidence, zone: Name): string {
  const mismatch = mismatchesIn(evidence).find((one) => one.zone === zone && haveTwoProviders(one));
  return mismatch === undefined
    ? 'Make every server serve the same version of the zone, and remove those that should not serve it from the delegation'
    : mismatchAdvice(evidence, mismatch);
}

/**
 * ANSWERS_DIFFER: servers of one zone give different RRsets for one question; an empty one (NODATA)
 * counts. For ANY each server may choose what to send (RFC 8482).
 */
export const answersDiffer: Check = (evidence) =>
  [...evidence.panels.values()].flatMap((panel): Draft[] => {
    if (panel.question.type === 'ANY') return [];
    const said = panel.heard.flatMap((heard) => {
      const saying = sayingOf(heard);
      return saying === undefined ? [] : [{ ...saying, heard }];
    });
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
    return [{ zone: panel.zone, problem, advice: oneVersion(evidence, panel.zone), proof }];
  });

function wordsOf({ alias, data }: Saying): string {
  if (alias !== undefined) return `an alias of ${plain(alias)}`;
  return data === undefined || data.length === 0 ? 'NODATA' : dataText(data);
}

/** EXISTENCE_DIFFERS: some servers of a zone know the name, others deny that it exists. */
export const existenceDiffers: Check = (evidence) =>
  [...evidence.panels.values()].flatMap((panel): Draft[] => {
    const denying = panel.heard.filter(({ meaning }) => meaning.kind === 'nxdomain');
    const knowing = panel.heard.filter(isKnowing);
    const [no, yes] = [denying[0], knowing[0]];
    if (no === undefined || yes === undefined) return [];
    const problem = `The servers of ${plain(panel.zone)} disagree on whether ${plain(panel.question.name)} exists: ${withAddress(no.server)} says that it does not, ${withAddress(yes.server)} says that it does`;
    const proof = exchangesOf([...denying, ...knowing]);
    return [{ zone: panel.zone, problem, advice: oneVersion(evidence, panel.zone), proof }];
  });

function isKnowing({ meaning }: Heard): boolean {
  return meaning.kind === 'answer' || meaning.kind === 'alias' || meaning.kind === 'nodata';
}
