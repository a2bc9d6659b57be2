/* Reads the files that options name: saved results, root hints, trust anchors, deny lists. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { JsonError, parseJson } from '../../base/json.ts';
import { MOST_OCTETS } from '../../base/octets.ts';
import { readShape, ShapeError } from '../../base/shape.ts';
import { parseTrustAnchors, TrustAnchorError } from '../../dns/dnssec/trust-anchors.ts';
import { readResult, type Saved } from '../../document/read-result.ts';
import { shortened, shortening } from '../../document/words/shortened.ts';
import type { Delegation } from '../../explore/delegation.ts';
import { type DenyList, DenyListError, parseDenyList } from '../../explore/policy.ts';
import { parseRootHints, RootHintsError } from '../../explore/root-hints.ts';
import { CONFIGURATION, type Configuration, configured } from '../../traversal/configuration.ts';
import { withNodeCrypto } from '../../traversal/node-replay.ts';
import { type ConfigFlags, checkCodes } from '../flags/expect-flags.ts';
import { CommandError, notDone } from '../process/errors.ts';
import { nameOf, readFileUpTo, readInputUpTo } from '../process/files.ts';
import type { Io } from '../process/io.ts';
import type { Evaluating } from './runner.ts';

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

/**
 * Reads a file of trust anchors, a line for each; `at`: when they must be valid, in ISO 8601, if not now. Throws a
 * `CommandError` that names the file and the error in it.
 */
export async function readTrustAnchors(path: string, at?: string): Promise<readonly string[]> {
  const text = (await readFileUpTo(path, MOST_OCTETS.anchors)).toString('utf8');
  try {
    return parseTrustAnchors(text, at === undefined ? new Date() : new Date(at));
  } catch (error) {
    if (error instanceof TrustAnchorError)
      throw notDone(`trust anchors ${path}: ${shortening([], LONGEST_REASON)(error.message)}`);
    throw error;
  }
}

/** In characters: a file in another format can have long words. */
const LONGEST_REASON = 240;

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

/** The file of the configuration: of an option, else where the XDG Base Directory Specification says; undefined for none. */
export function configPath({ config }: ConfigFlags, { env }: Pick<Io, 'env'>): string | undefined {
  if (config !== undefined) return config === 'none' ? undefined : config;
  const { XDG_CONFIG_HOME = '', HOME = '' } = env;
  if (XDG_CONFIG_HOME !== '') return join(XDG_CONFIG_HOME, 'svc', 'config.json');
  return HOME === '' ? undefined : join(HOME, '.config', 'svc', 'config.json');
}

/**
 * Reads a configuration; undefined if there is no such file. Throws a `CommandError` that names the file and what is
 * wrong with it.
 */
export async function readConfigurationAt(path: string): Promise<Configuration | undefined> {
  if (!existsSync(path)) return undefined;
  const octets = await readFileUpTo(path, MOST_OCTETS.config);
  try {
    const configuration = readShape(CONFIGURATION, parseJson(octets));
    checkCodes(configuration.names.flatMap(({ ignore = [] }) => ignore));
    return configuration;
  } catch (error) {
    if (error instanceof JsonError) throw notDone(`${path} ${error.message}`);
    if (error instanceof ShapeError) throw notDone(`configuration ${path}: ${error.message}`);
    if (error instanceof CommandError) throw notDone(`configuration ${path}: ${error.message}`);
    throw error;
  }
}

/** The configuration that an option names, else the usual one if there is one. Throws a `CommandError` as the above. */
export async function readConfiguration(
  flags: ConfigFlags,
  io: Pick<Io, 'env'>,
): Promise<Configuration | undefined> {
  const path = configPath(flags, io);
  const read = path === undefined ? undefined : await readConfigurationAt(path);
  if (read === undefined && flags.config !== undefined && path !== undefined)
    throw notDone(`cannot read ${path}: no such file`);
  return read;
}

/** Evaluates what was recorded with what the user's configuration expects of its name. */
export async function withConfiguration(
  evaluate: Evaluating,
  flags: ConfigFlags,
  io: Pick<Io, 'env'>,
): Promise<Evaluating> {
  const configuration = await readConfiguration(flags, io);
  return configuration === undefined ? evaluate : (saved) => evaluate(configured(saved, configuration));
}
