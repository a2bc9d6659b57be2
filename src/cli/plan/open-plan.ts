/* Reads a plan from a folder, a file in JSON, a BIND configuration, or a zone file. */

import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { JsonError, parseJson } from '../../base/json.ts';
import { placeOfPointer, placeOfSyntaxError, type TextPlace } from '../../base/json-places.ts';
import { MOST_OCTETS } from '../../base/octets.ts';
import { readShape, ShapeError } from '../../base/shape.ts';
import { questionKey } from '../../dns/message.ts';
import { firstOfEach } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';
import { printable } from '../../document/words/shortened.ts';
import { delegationOf } from '../../explore/delegation.ts';
import type { PlannedDs, ZoneFile } from '../../explore/planned-zones.ts';
import type { Configuration } from '../../traversal/configuration.ts';
import type { Plan } from '../../traversal/traverse.ts';
import { checkCodes } from '../flags/expect-flags.ts';
import { readName } from '../flags/names.ts';
import { CommandError, notDone } from '../process/errors.ts';
import { cannotRead, nameOf, readInputUpTo, STDIN } from '../process/files.ts';
import type { Io } from '../process/io.ts';
import { dsFromFile, dsWritten, plannedDs, zoneFrom } from '../runner/plan-files.ts';
import { NamedConfError, zonesOfConf } from './named-conf.ts';
import { type NamesToCheck, namesToCheck } from './names-to-check.ts';
import { PLAN, type PlanDocument } from './plan-document.ts';
import { withGlueFaults } from './planned-faults.ts';

/** A plan, the names to check, and the answers expected of them. */
interface OpenedPlan extends NamesToCheck {
  readonly plan: Plan;
  readonly expectations: Configuration['names'];
  /** Whether the questions are those of the zone files. */
  readonly isOfFiles: boolean;
  /** The zones that are not checked, as a file cannot be read, with the fault. */
  readonly unread: readonly ZoneFile[];
  /** Why these cannot be read. */
  readonly errors: readonly CommandError[];
  /** The file of the plan, as it is named in messages; of a folder of zone files the first. */
  readonly file: string;
}

/**
 * Reads the plan at a path; "-" is the standard input. `now`: in milliseconds since 1970, for the validity of signatures.
 * Throws a `CommandError`, which gives file, line and column of an error in a file.
 */
export async function openPlan(
  path: string,
  now: number,
  io: Pick<Io, 'stdin' | 'stderr'>,
): Promise<OpenedPlan> {
  const source = await sourceOf(path, io);
  const zones: Plan['zones'][number][] = [];
  const ds: PlannedDs[] = [];
  const errors: CommandError[] = [];
  const unread: ZoneFile[] = [];
  for (const planned of source.document.zones) {
    try {
      if (planned.file !== undefined)
        zones.push(await zoneFrom(planned.zone, located(planned.file, source), now, io.stdin));
      if (planned.ds !== undefined) ds.push(await dsOf(planned, source, io));
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      errors.push(error);
      unread.push(unreadZone(planned, error));
    }
  }
  const isRead = ({ zone }: PlannedZone) => unread.every((one) => one.zone !== zone);
  const kept = source.document.zones.filter(isRead);
  if (kept.length === 0) throwPlanErrors(errors);
  const delegations = kept.flatMap(({ zone, servers }) =>
    servers === undefined
      ? []
      : [delegationOf(zone, new Map(servers.map(({ name, addresses = [] }) => [name, addresses])))],
  );
  const { names, expectations = [] } = source.document;
  const asked =
    names === undefined
      ? namesToCheck(zones.map(({ contents }) => contents))
      : { questions: firstOfEach(names, questionKey), leftOut: 0 };
  const isOfFiles = names === undefined;
  if (asked.questions.length === 0)
    throw notDone(`${source.file}: there is nothing to check: add names, or a zone file`);
  return {
    plan: { delegations, zones: withGlueFaults(zones, delegations), ds },
    expectations,
    file: fileOf(source),
    isOfFiles,
    unread,
    errors,
    ...asked,
  };
}

/** The error is told without the place, which stands before it. */
function unreadZone({ zone, file = '' }: PlannedZone, { message, place }: CommandError): ZoneFile {
  const { file: at = file, line = 1, column } = place ?? {};
  const detail = [`${at}:${line}:${column}: `, `${at}:${line}: `, `${at}: `].reduce(
    (text, prefix) => (text.startsWith(prefix) ? text.slice(prefix.length) : text),
    message,
  );
  return { zone, file: at, faults: [{ code: 'FILE_UNREADABLE', name: zone, type: 'SOA', line, detail }] };
}

/** A folder has no lines to show anything beside: the first zone file stands for it. */
function fileOf(source: PlanSource): string {
  const [first] = source.document.zones;
  return source.file === source.folder && first?.file !== undefined
    ? located(first.file, source)
    : source.file;
}

/** Why several files of a plan cannot be read: the message is that of the last. */
export class PlanErrors extends CommandError {
  readonly errors: readonly CommandError[];

  constructor(last: CommandError, errors: readonly CommandError[]) {
    super(last.status, last.message, last.place);
    this.errors = errors;
  }
}

/** Throws a `PlanErrors` unless there are none. */
export function throwPlanErrors(errors: readonly CommandError[]): void {
  const last = errors.at(-1);
  if (last !== undefined) throw new PlanErrors(last, errors);
}

/** Where a plan was read from. */
interface PlanSource {
  /** The file name in messages. */
  readonly file: string;
  /** The folder to which file names in the plan are relative. */
  readonly folder: string;
  readonly document: PlanDocument;
  /** The place in the file where the value of a JSON pointer begins. */
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

async function sourceOf(path: string, io: Pick<Io, 'stdin' | 'stderr'>): Promise<PlanSource> {
  if (path === STDIN) return await fileSource(path, io);
  const found = await stat(path).catch((error: unknown) => {
    throw cannotRead(path, error);
  });
  if (!found.isDirectory()) return await fileSource(path, io);
  const entries = (await readdir(path)).sort();
  const whole = WHOLE_PLANS.find((name) => entries.includes(name));
  if (whole !== undefined) return await fileSource(join(path, whole), io);
  const zones = entries.flatMap(zoneFileNamed);
  const second = zones.find(({ zone }, at) => zones.findIndex((one) => one.zone === zone) < at);
  if (second !== undefined)
    throw notDone(
      `${path}: ${plain(second.zone)} has a second file, ${second.file}: a plan has one for each zone`,
    );
  if (zones.length > 0) return zoneSource(path, path, zones);
  throw notDone(
    `${path} has no ${WHOLE_PLANS.join(', no ')}, and no zone file (such as example.com.zone, db.example.com or example.com.)`,
  );
}

/** The files that hold the whole plan of a folder; the first that exists counts. */
const WHOLE_PLANS = ['plan.json', 'named.conf'] as const;

/** The zone after which a file is named, as DNSControl, administrators and OctoDNS name zone files; none for other names. */
function zoneFileNamed(file: string): readonly (PlannedZone & { readonly file: string })[] {
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

async function fileSource(path: string, io: Pick<Io, 'stdin' | 'stderr'>): Promise<PlanSource> {
  const file = nameOf(path);
  const folder = path === STDIN ? '.' : dirname(path);
  const zones = path === STDIN ? [] : zoneFileNamed(basename(path));
  if (zones.length > 0) return zoneSource(file, folder, zones);
  const octets = await readInputUpTo(path, MOST_OCTETS.plan, io.stdin);
  const text = octets.toString('utf8');
  const tell = (words: string) => void io.stderr.write(`svc: ${printable(words)}\n`);
  if (!/^\s*[{[]/.test(text)) {
    try {
      return zoneSource(file, folder, await zonesOfConf(text, { file, folder, tell }));
    } catch (error) {
      if (!(error instanceof NamedConfError)) throw error;
      if (ZONE_FILE.test(text))
        throw notDone(
          `${file}: this is a zone file, but its name does not tell the zone: name it like example.com.zone, or write a plan in JSON with its zone and file`,
        );
      throw placedError(file, error.place, error.message);
    }
  }
  const placeOf = (pointer: string) => placed(file, placeOfPointer(text, pointer));
  return { file, folder, document: planIn(octets, text, { file, placeOf }), placeOf };
}

/** What only zone files have. */
const ZONE_FILE = /^\$(?:ORIGIN|TTL|INCLUDE|GENERATE)\s|\sSOA\s/im;

function placed(file: string, { line, column }: TextPlace): string {
  return `${file}:${line}:${column}`;
}

function placedError(file: string, place: TextPlace, message: string): CommandError {
  return notDone(`${placed(file, place)}: ${message}`, { file, ...place });
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
      throw placedError(file, placeOfSyntaxError(text), `this ${error.message}`);
    if (error instanceof ShapeError)
      throw placedError(file, placeOfPointer(text, error.pointer), error.message);
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
