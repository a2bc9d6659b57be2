import { coveredType, ownerAndType } from '../signer.ts';
import type { Edit } from './world.ts';

/** Without the signatures of these types; at `owner`, or anywhere. */
export function withoutSignatures(types: readonly string[], owner?: string): Edit {
  return without(
    (line) => types.includes(coveredType(line) ?? '') && (owner === undefined || ownerOf(line) === owner),
  );
}

/** Without records of these types, and without what signs them. */
export function withoutRecords(types: readonly string[]): Edit {
  return without((line) => types.includes(coveredType(line) ?? ownerAndType(line).type));
}

/** Another text in the lines of one owner and type. */
export function changed(owner: string, type: string, from: string | RegExp, to: string): Edit {
  return (lines) =>
    lines.map((line) =>
      ownerOf(line) === owner && ownerAndType(line).type === type ? line.replace(from, to) : line,
    );
}

/** A signature that says that it has expired. */
export function oldSignature(owner: string, type: string): Edit {
  return (lines) =>
    lines.map((line) => (ownerOf(line) === owner && coveredType(line) === type ? expired(line) : line));
}

/** The same beside the one that is good, for addresses. */
export function besideOld(owner: string): Edit {
  return (lines) =>
    lines.flatMap((line) =>
      ownerOf(line) === owner && coveredType(line) === 'A' ? [expired(line), line] : line,
    );
}

/** The two times stand before tag and signer: the expiration first. */
function expired(line: string): string {
  return line.replace(/\d{14} (\d{14})/, '20200102000000 20200101000000');
}

/** One change after the other. */
export function both(...edits: readonly Edit[]): Edit {
  return (lines) => edits.reduce((so, edit) => edit(so), lines);
}

function without(unwanted: (line: string) => boolean): Edit {
  return (lines) => lines.filter((line) => !unwanted(line));
}

function ownerOf(line: string): string {
  return ownerAndType(line).owner;
}
