/* Opens a plan: a folder, a plan in JSON, a configuration of BIND, or a zone file. */

import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { JsonError, parseJson } from '../../base/json.ts';
import { placeOfPointer, placeOfSyntaxError, type TextPlace } from '../../base/json-places.ts';
import { MOST_OCTETS } from '../../base/octets.ts';
import { readShape, ShapeError } from '../../base/shape.ts';
import { delegationOf } from '../../explore/delegation.ts';
import type { PlannedDs } from '../../explore/planned-zones.ts';
import type { Configuration } from '../../traversal/configuration.ts';
import { withGlueFaults } from '../../traversal/planned-glue.ts';
import type { Plan } from '../../traversal/traverse.ts';
import { checkCodes } from '../flags/expect-flags.ts';
import { readName } from '../flags/names.ts';
import { CommandError, notDone } from '../process/errors.ts';
import { cannotRead, nameOf, readInputUpTo, STDIN } from '../process/files.ts';
import type { Io } from '../process/io.ts';
import { dsFromFile, dsWritten, plannedDs, zoneFrom } from '../runner/plan-files.ts';
import { NamedConfError } from './named-conf.ts';
import { zonesOfConf } from './named-zones.ts';
import { type NamesToCheck, namesToCheck } from './names-to-check.ts';
import { PLAN, type PlanDocument } from './plan-document.ts';

/** What is planned, and what to look at. */
export interface OpenedPlan extends NamesToCheck {
  readonly plan: Plan;
  readonly expectations: Configuration['names'];
}

/**
 * Opens the plan that a path names; "-" is the standard input. `now`: in milliseconds since 1970. Throws a `CommandError` that
 * names file, line and column.
 */
export async function openPlan(path: string, now: number, io: Pick<Io, 'stdin'>): Promise<OpenedPlan> {
  const source = await sourceOf(path, io);
  const zones: Plan['zones'][number][] = [];
  const ds: PlannedDs[] = [];
  for (const planned of source.document.zones) {
    if (planned.file !== undefined)
      zones.push(await zoneFrom(planned.zone, located(planned.file, source), now, io.stdin));
    if (planned.ds !== undefined) ds.push(await dsOf(planned, source, io));
  }
  const delegations = source.document.zones.flatMap(({ zone, servers }) =>
    servers === undefined
      ? []
      : [delegationOf(zone, new Map(servers.map(({ name, addresses = [] }) => [name, addresses])))],
  );
  const { names, expectations = [] } = source.document;
  const asked =
    names === undefined
      ? namesToCheck(zones.map(({ contents }) => contents))
      : { questions: names, leftOut: 0 };
  if (asked.questions.length === 0)
    throw notDone(`${source.file}: there is nothing to check: add names, or the file of a zone`);
  return { plan: { delegations, zones: withGlueFaults(zones, delegations), ds }, expectations, ...asked };
}

/** Where a plan was read from. */
interface PlanSource {
  /** As it is named in messages. */
  readonly file: string;
  /** What names of files in it are relative to. */
  readonly folder: string;
  readonly document: PlanDocument;
  /** Where the value begins that a pointer names. */
  readonly placeOf: (pointer: string) => string;
}

type PlannedZone = PlanDocument['zones'][number];

function located(file: string, { folder }: PlanSource): string {
  return isAbsolute(file) ? file : join(folder, file);
}

async function dsOf(
  { zone, ds = [] }: PlannedZone,
  source: PlanSource,
  { stdin }: Pick<Io, 'stdin'>,
): Promise<PlannedDs> {
  const data: string[] = [];
  const at = source.document.zones.findIndex((one) => one.zone === zone);
  for (const [index, value] of ds.entries()) {
    const place = source.placeOf(`/zones/${at}/ds/${index}`);
    const written = dsWritten(value, (why) => notDone(`${place}: ${why}`));
    data.push(...(written === undefined ? await dsFromFile(zone, located(value, source), stdin) : [written]));
  }
  return plannedDs(zone, data);
}

async function sourceOf(path: string, io: Pick<Io, 'stdin'>): Promise<PlanSource> {
  if (path === STDIN) return await fileSource(path, io);
  const found = await stat(path).catch((error: unknown) => {
    throw cannotRead(path, error);
  });
  if (!found.isDirectory()) return await fileSource(path, io);
  const entries = (await readdir(path)).sort();
  const whole = WHOLE_PLANS.find((name) => entries.includes(name));
  if (whole !== undefined) return await fileSource(join(path, whole), io);
  const zones = entries.flatMap(zoneFileNamed);
  if (zones.length > 0) return zoneSource(path, path, zones);
  throw notDone(
    `${path} has no ${WHOLE_PLANS.join(', no ')}, and no zone file (such as example.com.zone, db.example.com or example.com.)`,
  );
}

/** The files that are a folder's whole plan; the first that there is counts. */
const WHOLE_PLANS = ['plan.json', 'named.conf'] as const;

/** The zone of a file by its name: as DNSControl, administrators and OctoDNS call them. None if it has no such name. */
function zoneFileNamed(file: string): readonly PlannedZone[] {
  const [, ...names] = /^(?:db\.(.+)|(.+)\.(?:zone|db)|(.+)\.)$/.exec(file) ?? [];
  const text = names.find((name) => name !== undefined);
  if (text === undefined) return [];
  try {
    return [{ zone: readName(text), file }];
  } catch (error) {
    if (error instanceof CommandError) return [];
    throw error;
  }
}

function zoneSource(file: string, folder: string, zones: readonly PlannedZone[]): PlanSource {
  return { file, folder, document: { zones }, placeOf: () => file };
}

async function fileSource(path: string, io: Pick<Io, 'stdin'>): Promise<PlanSource> {
  const file = nameOf(path);
  const folder = path === STDIN ? '.' : dirname(path);
  const zones = path === STDIN ? [] : zoneFileNamed(basename(path));
  if (zones.length > 0) return zoneSource(file, folder, zones);
  const octets = await readInputUpTo(path, MOST_OCTETS.plan, io.stdin);
  const text = octets.toString('utf8');
  if (!/^\s*[{[]/.test(text)) {
    try {
      return zoneSource(file, folder, await zonesOfConf(text, { file, folder }));
    } catch (error) {
      if (error instanceof NamedConfError) throw notDone(`${placed(file, error.place)}: ${error.message}`);
      throw error;
    }
  }
  const placeOf = (pointer: string) => placed(file, placeOfPointer(text, pointer));
  return { file, folder, document: planIn(octets, text, { file, placeOf }), placeOf };
}

function placed(file: string, { line, column }: TextPlace): string {
  return `${file}:${line}:${column}`;
}

function planIn(
  octets: Uint8Array,
  text: string,
  { file, placeOf }: Pick<PlanSource, 'file' | 'placeOf'>,
): PlanDocument {
  try {
    const plan = readShape(PLAN, parseJson(octets));
    for (const [at, { ignore = [] }] of (plan.expectations ?? []).entries()) {
      const place = placeOf(`/expectations/${at}/ignore`);
      checking(() => checkCodes(ignore), place);
    }
    return plan;
  } catch (error) {
    if (error instanceof JsonError)
      throw notDone(`${placed(file, placeOfSyntaxError(text))}: this ${error.message}`);
    if (error instanceof ShapeError) throw notDone(`${placeOf(error.pointer)}: ${error.message}`);
    throw error;
  }
}

function checking(check: () => void, place: string): void {
  try {
    check();
  } catch (error) {
    throw error instanceof CommandError ? notDone(`${place}: ${error.message}`) : error;
  }
}
