/* Finds the zone files of a BIND configuration and of the files that it includes. */

import { isAbsolute, join } from 'node:path';
import { MOST_OCTETS } from '../../base/octets.ts';
import { plain } from '../../document/words/names.ts';
import { readName } from '../flags/names.ts';
import { CommandError, notDone } from '../process/errors.ts';
import { readFileUpTo } from '../process/files.ts';
import { NamedConfError, readNamedConf } from './named-conf.ts';
import type { PlanDocument } from './plan-document.ts';

type PlannedZone = PlanDocument['zones'][number] & { readonly file: string };

/** A configuration file, and the folder to which file names in it are relative. */
interface ConfSource {
  readonly file: string;
  readonly folder: string;
}

/**
 * The zones of a configuration and of the files that it includes, with their zone files, whose names are relative to
 * `source.folder`. Throws a `NamedConfError` for the configuration itself, and a `CommandError` for an included file.
 */
export async function zonesOfConf(text: string, source: ConfSource): Promise<readonly PlannedZone[]> {
  const found: PlannedZone[] = [];
  await addZones(text, { ...source, directory: '.' }, found, 0);
  if (found.length === 0)
    throw new NamedConfError('there is no zone of type primary: name a named.conf, or a plan in JSON', {
      line: 1,
      column: 1,
    });
  return found;
}

/** The most levels of included files. */
const MOST_DEPTH = 8;

async function addZones(
  text: string,
  source: ConfSource & { readonly directory: string },
  found: PlannedZone[],
  depth: number,
): Promise<void> {
  const { zones, includes, directory = source.directory } = readNamedConf(text);
  for (const { zone: name, file, place, view } of zones) {
    const zone = zoneNamed(name, place);
    const known = found.find((one) => one.zone === zone);
    // Several views may serve one file.
    if (known?.file === below(directory, file)) continue;
    if (known !== undefined)
      throw new NamedConfError(
        view === undefined
          ? `${plain(zone)} has a second file here: a plan takes one file for each zone`
          : `${plain(zone)} has a second file here, in the view "${view}": write a plan in JSON with the file that users get`,
        place,
      );
    found.push({ zone, file: below(directory, file) });
  }
  for (const { file, place } of includes) {
    if (depth === MOST_DEPTH)
      throw new NamedConfError(`include is nested deeper than ${MOST_DEPTH} files`, place);
    const path = below(source.folder, below(directory, file));
    const included = (await readFileUpTo(path, MOST_OCTETS.plan)).toString();
    await addZones(included, { ...source, file: path, directory }, found, depth + 1).catch(
      (error: unknown) => {
        if (!(error instanceof NamedConfError)) throw error;
        throw notDone(`${path}:${error.place.line}:${error.place.column}: ${error.message}`);
      },
    );
  }
}

function below(folder: string, path: string): string {
  return isAbsolute(path) ? path : join(folder, path);
}

function zoneNamed(text: string, place: NamedConfError['place']) {
  try {
    return readName(text);
  } catch (error) {
    if (error instanceof CommandError) throw new NamedConfError(error.message, place);
    throw error;
  }
}
