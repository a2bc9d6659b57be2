import { readLine } from '../../../src/cli/many/name-list.ts';
import { decodeMessage } from '../../../src/dns/decode.ts';
import { encodeMessage } from '../../../src/dns/encode.ts';
import { ROOT } from '../../../src/dns/name.ts';
import { encodeRdata } from '../../../src/dns/rdata/rdata.ts';
import { fitsType } from '../../../src/dns/record.ts';
import { DenyListError, parseDenyList } from '../../../src/explore/policy.ts';
import { parseRootHints, RootHintsError } from '../../../src/explore/root-hints.ts';
import { readZoneFile, ZoneFileError } from '../../../src/lab/zone-file.ts';
import { mutated } from '../arbitraries/octets.ts';
import { zoneTexts } from '../arbitraries/zone-texts.ts';
import { withinCpu } from '../cpu.ts';
import { must, subject } from '../subject.ts';

const MOST_MS = 1_000;

const texts = mutated(zoneTexts.map((text) => Buffer.from(text))).map((octets) =>
  Buffer.from(octets).toString(),
);

/** Zone files, root hints, deny lists and lists of names are read or refused with the line at fault. */
export const readTexts = subject('texts', 4_000, texts, (text) => {
  withinCpu(MOST_MS, () => {
    zoneFile(text);
    refusedAs(RootHintsError, () => parseRootHints(text));
    refusedAs(DenyListError, () => parseDenyList(text));
    for (const [index, line] of text.split('\n').entries()) readLine(line, index + 1);
  });
});

function zoneFile(text: string): void {
  const records = refusedAs(ZoneFileError, () => readZoneFile(text)) ?? [];
  for (const record of records) {
    const message = {
      id: 1,
      flags: [],
      rcode: 'NOERROR',
      questions: [],
      answer: [record],
      authority: [],
      additional: [],
    };
    const [read] = record.type === 'OPT' ? [] : decodeMessage(encodeMessage(message)).answer;
    if (read === undefined || !fitsType(read)) continue;
    const again = encodeMessage({
      ...message,
      answer: [{ ...record, rdata: encodeRdata(read.type, read.data, ROOT) }],
    });
    const [reread] = decodeMessage(again).answer;
    must(reread?.data === read.data, `${read.type} ${read.data} is read again as ${reread?.data}`);
  }
}

/** What a function gives; undefined if it throws an error of this kind that is one printable line. */
function refusedAs<T>(kind: new (...args: never[]) => Error, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    must(error instanceof kind, `threw ${error}`);
    must(error.message.startsWith('line ') || /^no /.test(error.message), `says ${error.message}`);
    return undefined;
  }
}
