import { readShape } from '../../shape/shape.ts';
import { SERVERS_HEAD } from './heads.ts';
import { type JobFile, readJobFile } from './job-file.ts';

/** The file of a job's server list. */
export function serversFile(id: string, list: Buffer): JobFile {
  return { head: { id }, octets: [list] };
}

/** Reads it. Throws a `DamagedFile`, `JsonError` or `ShapeError`. */
export function readServersFile(file: Buffer): { readonly id: string; readonly list: Buffer } {
  const { head, octets } = readJobFile(file);
  return { ...readShape(SERVERS_HEAD, head), list: octets };
}
