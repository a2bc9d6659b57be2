/** The records of a zone file that has each on a line of its own and all names in full; comments left out. */
export function recordLines(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/\s*;[^"]*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('$'));
}

/** The data of the DS records among some lines. */
export function dsData(text: string): readonly string[] {
  return recordLines(text).flatMap((line) => /\sDS\s+(.*)/.exec(line)?.[1] ?? []);
}

/** The owner and the type of a record on a line. */
export function ownerAndType(line: string): { readonly owner: string; readonly type: string } {
  const [owner = '', ...rest] = line.split(/\s+/);
  return { owner: owner.toLowerCase(), type: rest.find((word) => !/^(?:\d+|IN)$/.test(word)) ?? '' };
}

/** The type that a line's RRSIG covers; undefined for other records. */
export function coveredType(line: string): string | undefined {
  return ownerAndType(line).type === 'RRSIG' ? /\sRRSIG\s+(\S+)/.exec(line)?.[1] : undefined;
}
