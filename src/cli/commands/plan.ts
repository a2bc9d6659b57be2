import { PassThrough } from 'node:stream';
import { Argument, type Command, Option } from 'commander';
import { jsonText, PRETTY_JSON } from '../../base/json.ts';
import { LIMITS } from '../../base/limits.ts';
import type { Name } from '../../dns/name.ts';
import type { FailOn } from '../../document/finding.ts';
import { plain } from '../../document/words/names.ts';
import { printable } from '../../document/words/shortened.ts';
import type { ZoneFile } from '../../explore/planned-zones.ts';
import { zoneFileFindings } from '../../findings/zone-files.ts';
import { type FormatIn, isOffered } from '../../report/formats.ts';
import {
  nearestZone,
  type PlannedName,
  type PlanReport,
  planDocument,
  planStatus,
} from '../../report/views/plan-report.ts';
import { addConfigFlag, type ConfigFlags } from '../flags/expect-flags.ts';
import { addPrintFlags, failOnOption, printedJson } from '../flags/format-flags.ts';
import { type LimitFlags, limitOption } from '../flags/limit-option.ts';
import { quoted } from '../flags/names.ts';
import { addTraversalFlags, type TraversalFlags } from '../flags/traversal-flags.ts';
import { openScreen, Tally } from '../many/tally.ts';
import { withSerialFaults } from '../plan/planned-faults.ts';
import { WORKFLOW_HOSTS, type WorkflowHost, workflowFile } from '../plan/workflow.ts';
import { CommandError, EXIT, type ExitStatus, notDone, usageError } from '../process/errors.ts';
import { checkWritable, nameOf, writeTextFile } from '../process/files.ts';
import { addHelpSections, type Configure, SHARED_HEADINGS } from '../process/help.ts';
import { interruption } from '../process/interruption.ts';
import { type ColourFlag, type Io, type OutputStream, textLook, writeChunks } from '../process/io.ts';
import { readConfiguration } from '../runner/input-files.ts';
import { openNetworkForOne } from '../runner/network.ts';

/** `svc plan PATH`. */
export const configurePlan: Configure = (command, { io, exit }) => {
  command.addArgument(
    new Argument(
      '[plan]',
      'a plan in JSON, a named.conf, a zone file, or a folder with one of these (-: stdin)',
    ),
  );
  addTraversalFlags(command);
  addPlanFlags(command);
  addPrintFlags(command, 'plan', 'leave nothing out');
  command
    .addOption(failOnOption())
    .option('-q, --quiet', 'print nothing but errors: the exit status tells the result')
    .addOption(
      new Option(
        '--write <format=file>',
        'also write the report to a file in this format (text, json, md, junit or sarif); repeatable',
      ).argParser(oneMore),
    )
    .option('--schema', 'print the JSON schema of plans')
    .addOption(
      new Option('--workflow <host>', 'print a workflow that checks each change before it is merged').choices(
        WORKFLOW_HOSTS,
      ),
    );
  addHelpSections(command, AFTERWORD);
  command.action(async (path: string | undefined, flags: PlanFlags) => {
    exit(await run(path, flags, io));
  });
};

/** The options of `svc plan`, as commander gives them. */
interface PlanFlags extends TraversalFlags, ConfigFlags, ColourFlag, Pick<LimitFlags, 'namesAtOnce'> {
  readonly format: FormatIn<'plan'>;
  readonly verbose?: true;
  readonly quiet?: true;
  readonly failOn?: FailOn;
  readonly write?: readonly WrittenReport[];
  readonly schema?: true;
  readonly workflow?: WorkflowHost;
}

/** A report that is written to a file. */
interface WrittenReport {
  readonly format: FormatIn<'plan'>;
  readonly path: string;
}

/** Adds the report of one more `--write`. Throws a `CommandError` unless the text is FORMAT=FILE. */
function oneMore(text: string, before: readonly WrittenReport[] = []): readonly WrittenReport[] {
  const [, format = '', path = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  if (path === '' || !isOffered(format, 'plan'))
    throw usageError(`--write ${quoted(text)}: write FORMAT=FILE, such as sarif=plan.sarif`);
  return [...before, { format, path }];
}

function addPlanFlags(command: Command): void {
  command.optionsGroup(SHARED_HEADINGS.expected);
  addConfigFlag(command);
  command.optionsGroup('Many names:').addOption(limitOption('namesAtOnce'));
}

const AFTERWORD = {
  examples: ['svc plan zones/', 'svc plan plan.json --format md'],
} as const;

async function run(path: string | undefined, flags: PlanFlags, io: Io): Promise<ExitStatus> {
  const { schema, workflow } = flags;
  const printed = workflow ? '--workflow' : schema && '--schema';
  if (printed && (path !== undefined || (schema && workflow)))
    throw usageError(`${printed} takes no plan and no other option: leave them out`);
  if (workflow !== undefined) io.stdout.write(workflowFile(workflow));
  else if (schema) {
    const { planSchema } = await import('../plan/plan-document.ts');
    io.stdout.write(jsonText(planSchema(), PRETTY_JSON));
  } else if (path === undefined) throw usageError('PLAN is missing: write svc plan FILE or svc plan FOLDER');
  else return await checkPlanAt(path, flags, io);
  return EXIT.agreed;
}

/** Writes the errors of a plan that cannot be checked in the formats wanted, too: pipelines show these beside a change. */
async function checkPlanAt(path: string, flags: PlanFlags, io: Io): Promise<ExitStatus> {
  const { PlanErrors } = await import('../plan/open-plan.ts');
  try {
    return await checkOpenedPlan(path, flags, io);
  } catch (error) {
    if (!(error instanceof CommandError) || error.status !== EXIT.notDone) throw error;
    const { refusedText } = await import('../../report/plan-refused.ts');
    const all = error instanceof PlanErrors ? error.errors : [error];
    const errors = all.map(({ message, place }) => ({ message, ...(place ?? { file: nameOf(path) }) }));
    const textIn = (format: FormatIn<'plan'>, stdout: OutputStream) =>
      refusedText(format, errors, commandLine(path), printedJson(stdout));
    if (!flags.quiet) io.stdout.write(textIn(flags.format, io.stdout));
    for (const { format, path: file } of flags.write ?? [])
      await writeTextFile(file, [textIn(format, NO_TERMINAL)]);
    for (const { message } of all.slice(0, -1)) io.stderr.write(`svc: ${printable(message)}\n`);
    throw error;
  }
}

/** Stands for a file: it is no terminal. */
const NO_TERMINAL = new PassThrough();

function commandLine(path: string): string {
  return `svc plan ${path}`;
}

async function checkOpenedPlan(path: string, flags: PlanFlags, io: Io): Promise<ExitStatus> {
  const { write = [] } = flags;
  for (const file of write) await checkWritable(file.path);
  const [{ openPlan, throwPlanErrors }, { checkPlan, zoneRows }, { outsideWords }] = await Promise.all([
    import('../plan/open-plan.ts'),
    import('../plan/check-plan.ts'),
    import('../plan/names-to-check.ts'),
  ]);
  const now = flags.at === undefined ? Date.now() : Date.parse(flags.at);
  const opened = await openPlan(path, now, io);
  const { plan, questions, leftOut, expectations, isOfFiles, unread, errors, file: planFile } = opened;
  const configuration = await readConfiguration(flags, io);
  const network = await openNetworkForOne(flags, io);
  const options = { ...network.options, share: true } as const;
  const tally = new Tally();
  const total = () => questions.length + tally.added;
  const screen = openScreen(tally, total, flags, io);
  const outside = outsideWords(
    questions,
    zoneRows(plan).map(({ zone }) => zone),
  );
  if (outside !== undefined && !flags.quiet) screen.say(outside);
  const { signal, stop } = interruption(io);
  const {
    names: all,
    undelegated,
    served,
  } = await checkPlan({
    plan,
    questions,
    types: isOfFiles ? 'all' : 'as-given',
    configuration: { names: [...expectations, ...(configuration?.names ?? [])] },
    network: { ...network, options },
    jobs: flags.namesAtOnce ?? LIMITS.namesAtOnce.default,
    tally,
    screen,
    signal,
    failOn: flags.failOn,
    detail: flags.verbose ? 'full' : 'terse',
  }).finally(async () => {
    stop();
    screen.stop();
    await network.close();
  });
  const nowhere = (signal.aborted ? [] : undelegated).map((zone): ZoneFile => {
    const file = plan.zones.find((one) => one.zone === zone)?.file ?? planFile;
    return { zone, file, faults: [{ code: 'FILE_NOT_DELEGATED', name: zone, type: 'SOA', line: 1 }] };
  });
  const isNowhere = ({ query }: PlannedName) =>
    nowhere.some((one) => one.zone === nearestZone(query.name, zoneRows(plan))?.zone);
  const names = all.filter((name) => !isNowhere(name));
  if (names.length === 0)
    throwPlanErrors([
      ...errors,
      ...nowhere.map(({ zone, file }) =>
        notDone(
          `${file}: nobody delegates ${plain(zone)}: correct the name, or plan its delegation (servers in a plan in JSON, or NS records in the planned zone above)`,
          { file },
        ),
      ),
    ]);
  const isSomewhere = ({ zone }: { readonly zone: Name }) => nowhere.every((one) => one.zone !== zone);
  const zones = plan.zones.filter(isSomewhere);
  const report = {
    zones: zoneRows(plan).filter(isSomewhere),
    names,
    leftOut,
    isOfFiles,
    files: zoneFileFindings([...unread, ...nowhere, ...withSerialFaults(zones, served)], now),
  };
  if (!flags.quiet) await writeChunks(io.stdout, [await TEXTS[flags.format](report, flags, io, planFile)]);
  for (const { format, path: file } of write)
    await writeTextFile(file, [
      await TEXTS[format](report, flags, { stdout: NO_TERMINAL, env: {} }, planFile),
    ]);
  if (signal.aborted) screen.say(`interrupted: ${total() - all.length} names were not checked`);
  else screen.close();
  return signal.aborted ? EXIT.interrupted : planStatus(report, flags.failOn);
}

const TEXTS: Readonly<
  Record<
    FormatIn<'plan'>,
    (
      report: PlanReport,
      flags: PlanFlags,
      io: Pick<Io, 'stdout' | 'env'>,
      planFile: string,
    ) => Promise<string>
  >
> = {
  text: async (report, flags, io) =>
    (await import('../../report/plan-text.ts')).planText(report, textLook(flags, io), flags.failOn),
  json: async (report, flags, { stdout }) =>
    jsonText(planDocument(report, planStatus(report, flags.failOn)), printedJson(stdout)),
  md: async (report, { failOn }) =>
    (await import('../../report/plan-markdown.ts')).planMarkdown(report, failOn),
  junit: async (report, { failOn }) => (await import('../../report/junit.ts')).junitText(report, failOn),
  sarif: async (report, _flags, _io, planFile) =>
    (await import('../../report/sarif.ts')).sarifText(report, commandLine(planFile), planFile),
};
