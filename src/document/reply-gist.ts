import type { Meaning } from '../explore/meaning.ts';
import { list } from '../shape/list.ts';
import { object, optional } from '../shape/object.ts';
import { described } from '../shape/schema.ts';
import type { Of } from '../shape/shape.ts';
import { TEXT } from '../shape/values.ts';
import { NAME } from './dns.ts';
import { dataOf } from './summary.ts';

/** What an event says of the content of a reply, which has no records there. */
export const REPLY_GIST = {
  data: optional(described(list(TEXT), 'Of an answer: its sorted data, unless they are long.')),
  target: optional(described(NAME, 'Of an alias: the name that it leads to.')),
  referredTo: optional(described(NAME, 'Of a referral: the zone that it delegates, even if that is none.')),
};

const GIST = object(REPLY_GIST);

/** What tells two replies of the same class apart. */
type ReplyGist = Of<typeof GIST>;

/** Longer data are not told twice, in the event and in the result. In characters. */
const LONGEST = 512;

/** The gist of what a reply means. */
export function gistOf(meaning: Meaning): ReplyGist {
  switch (meaning.kind) {
    case 'answer': {
      const data = dataOf(meaning.records);
      return data.join().length > LONGEST ? {} : { data };
    }
    case 'alias':
    case 'alias-loop':
      return { target: meaning.target };
    case 'referral':
      return { referredTo: meaning.delegation.zone };
    case 'lame':
      return meaning.referredTo === undefined ? {} : { referredTo: meaning.referredTo };
    case 'nxdomain':
    case 'nodata':
    case 'error':
    case 'malformed':
    case 'unreachable':
    case 'timeout':
      return {};
  }
}
