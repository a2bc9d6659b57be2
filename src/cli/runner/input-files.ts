/* Reads the files that options name: saved results, root hints, trust anchors, deny lists. */

import type { Readable } from 'node:stream';
import { JsonError, parseJson } from '../../base/json.ts';
import { MOST_OCTETS } from '../../base/octets.ts';
import { ShapeError } from '../../base/shape.ts';
import { parseTrustAnchors, TrustAnchorError } from '../../dns/dnssec/trust-anchors.ts';
import { readResult, type Saved } from '../../document/read-result.ts';
import { shortened } from '../../document/words/shortened.ts';
import type { Delegation } from '../../explore/delegation.ts';
import { type DenyList, DenyListError, parseDenyList } from '../../explore/policy.ts';
import { parseRootHints, RootHintsError } from '../../explore/root-hints.ts';
import { withNodeCrypto } from '../../traversal/node-replay.ts';
import { notDone } from '../process/errors.ts';
import { nameOf, readFileUpTo, readInputUpTo } from '../process/files.ts';

/** Reads a saved result; "-" is the standard input. Throws a `CommandError` if there is none to be read. */
export async function readSaved(path: string, stdin: Readable): Promise<Saved> {
  const octets = await readInputUpTo(path, MOST_OCTETS.saved, stdin);
  const where = nameOf(path);
  try {
    return withNodeCrypto(readResult(parseJson(octets)));
  } catch (error) {
    if (error instanceof JsonError) throw notDone(`${where} ${error.message}`);
    if (error instanceof ShapeError) throw notDone(`${where} is not a saved result: ${error.message}`);
    throw error;
  }
}

/** Reads a root hints file. Throws a `CommandError` that names the file and what is wrong with it. */
export async function readRootHints(path: string): Promise<Delegation> {
  const text = (await readFileUpTo(path, MOST_OCTETS.hints)).toString('utf8');
  try {
    return parseRootHints(text);
  } catch (error) {
    if (error instanceof RootHintsError)
      throw notDone(`root hints ${path}: ${shortened(error.message, 'terse')}`);
    throw error;
  }
}

/** Reads a file of trust anchors, a line for each. Throws a `CommandError` that names the file and what is wrong with it. */
export async function readTrustAnchors(path: string): Promise<readonly string[]> {
  const text = (await readFileUpTo(path, MOST_OCTETS.anchors)).toString('utf8');
  try {
    return parseTrustAnchors(text);
  } catch (error) {
    if (error instanceof TrustAnchorError)
      throw notDone(`trust anchors ${path}: ${shortened(error.message, 'terse')}`);
    throw error;
  }
}

/** Reads a deny list. Throws a `CommandError` that names the file and what is wrong with it. */
export async function readDenyList(path: string): Promise<DenyList> {
  const text = (await readFileUpTo(path, MOST_OCTETS.denyList)).toString('utf8');
  try {
    return parseDenyList(text);
  } catch (error) {
    if (error instanceof DenyListError) throw notDone(`deny list ${path}: ${error.message}`);
    throw error;
  }
}
