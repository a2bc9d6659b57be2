import { Argument, type Command, Option } from 'commander';
import { jsonText, PRETTY_JSON } from '../../base/json.ts';
import { LIMITS } from '../../base/limits.ts';
import type { FailOn } from '../../document/finding.ts';
import { zoneFileFindings } from '../../findings/zone-files.ts';
import type { FormatIn } from '../../report/formats.ts';
import { type PlanReport, planDocument, planStatus } from '../../report/views/plan-report.ts';
import type { Plan } from '../../traversal/traverse.ts';
import { addConfigFlag, type ConfigFlags } from '../flags/expect-flags.ts';
import { addPrintFlags, failOnOption, type PrettyFlag, printedJson } from '../flags/format-flags.ts';
import { type LimitFlags, limitOption } from '../flags/limit-option.ts';
import { addTraversalFlags, type TraversalFlags } from '../flags/traversal-flags.ts';
import { openScreen, Tally } from '../many/tally.ts';
import { EXIT, type ExitStatus, usageError } from '../process/errors.ts';
import { addHelpSections, type Configure } from '../process/help.ts';
import { interruption } from '../process/interruption.ts';
import { type ColourFlag, colourFor, type Io, lineWidth, marksFor, writeChunks } from '../process/io.ts';
import { readConfiguration } from '../runner/input-files.ts';
import { openNetworkForOne } from '../runner/network.ts';
import { resultStatuses } from './run-target.ts';

/** `svc plan PATH`. */
export const configurePlan: Configure = (command, { io, exit }) => {
  command.addArgument(
    new Argument(
      '[plan]',
      'a plan in JSON, a named.conf, a zone file, or a folder with one of them or with zone files (-: stdin)',
    ),
  );
  addTraversalFlags(command);
  addPlanFlags(command);
  addPrintFlags(command, 'plan', 'leave nothing out');
  command
    .addOption(failOnOption())
    .option('-q, --quiet', 'print nothing but errors: the exit status tells the result')
    .addOption(new Option('--schema', 'print the JSON schema of plans'));
  addHelpSections(command, AFTERWORD);
  command.action(async (path: string | undefined, flags: PlanFlags) => {
    exit(await (flags.schema ? printSchema(path, io) : checkPlanAt(path, flags, io)));
  });
};

/** The options of `svc plan`, as commander gives them. */
interface PlanFlags
  extends TraversalFlags,
    ConfigFlags,
    ColourFlag,
    PrettyFlag,
    Pick<LimitFlags, 'namesAtOnce'> {
  readonly format: FormatIn<'plan'>;
  readonly verbose?: true;
  readonly quiet?: true;
  readonly failOn?: FailOn;
  readonly schema?: true;
}

function addPlanFlags(command: Command): void {
  command.optionsGroup('What is expected:');
  addConfigFlag(command);
  command.optionsGroup('Many names:').addOption(limitOption('namesAtOnce'));
}

const AFTERWORD = {
  exitStatus: resultStatuses('a plan or zone file that cannot be read', 'what is known so far is printed'),
  examples: [
    ['svc plan zones/', 'check all zones of a folder'],
    ['svc plan plan.json --format md', 'for a comment on a pull request'],
    ['svc plan /etc/bind/named.conf.local'],
    ['svc plan --schema > plan.schema.json', 'for editors'],
  ],
} as const;

async function printSchema(path: string | undefined, io: Io): Promise<ExitStatus> {
  if (path !== undefined) throw usageError('--schema takes no plan: leave it out');
  const { planSchema } = await import('../plan/plan-document.ts');
  io.stdout.write(jsonText(planSchema(), PRETTY_JSON));
  return EXIT.agreed;
}

async function checkPlanAt(path: string | undefined, flags: PlanFlags, io: Io): Promise<ExitStatus> {
  if (path === undefined) throw usageError('the plan is missing: write svc plan FILE or svc plan FOLDER');
  const [{ openPlan }, { checkPlan }] = await Promise.all([
    import('../plan/open-plan.ts'),
    import('../plan/check-plan.ts'),
  ]);
  const now = flags.at === undefined ? Date.now() : Date.parse(flags.at);
  const { plan, questions, leftOut, expectations } = await openPlan(path, now, io);
  const configuration = await readConfiguration(flags, io);
  const network = await openNetworkForOne(flags, io);
  const options = { ...network.options, share: true } as const;
  const tally = new Tally();
  const screen = openScreen(tally, () => questions.length, flags, io);
  const { signal, stop } = interruption(io);
  const names = await checkPlan({
    plan,
    questions,
    configuration: { names: [...expectations, ...(configuration?.names ?? [])] },
    network: { ...network, options },
    jobs: flags.namesAtOnce ?? LIMITS.namesAtOnce.default,
    tally,
    screen,
    signal,
  }).finally(async () => {
    stop();
    screen.stop();
    await network.close();
  });
  const report = { zones: zoneRows(plan), names, leftOut, files: zoneFileFindings(plan.zones, now) };
  if (!flags.quiet) await writeChunks(io.stdout, [await TEXTS[flags.format](report, flags, io)]);
  if (signal.aborted) screen.say(`interrupted: ${questions.length - names.length} names are not checked`);
  else screen.close();
  return signal.aborted ? EXIT.interrupted : planStatus(report, flags.failOn);
}

const TEXTS: Readonly<
  Record<FormatIn<'plan'>, (report: PlanReport, flags: PlanFlags, io: Io) => Promise<string>>
> = {
  text: async (report, flags, { stdout, env }) => {
    const { planText } = await import('../../report/plan-text.ts');
    const look = {
      colour: colourFor(flags, stdout, env),
      marks: marksFor(env),
      detail: flags.verbose ? 'full' : 'terse',
      width: lineWidth({ stdout, env }),
    } as const;
    return planText(report, look, flags.failOn);
  },
  json: async (report, flags, { stdout }) =>
    jsonText(planDocument(report, planStatus(report, flags.failOn)), printedJson(flags, stdout)),
  md: async (report, { failOn }) =>
    (await import('../../report/plan-markdown.ts')).planMarkdown(report, failOn),
  junit: async ({ names, files }) =>
    (await import('../../report/junit.ts')).junitText(
      names.map(({ judged }) => judged),
      files,
    ),
  sarif: async ({ names, files }) =>
    (await import('../../report/sarif.ts')).sarifText(
      names.map(({ judged }) => judged),
      files,
    ),
};

function zoneRows({ delegations, zones, ds }: Plan): PlanReport['zones'] {
  const all = new Set([...zones, ...delegations, ...ds].map(({ zone }) => zone));
  return [...all].map((zone) => {
    const file = zones.find((one) => one.zone === zone)?.file;
    const servers = delegations.find((one) => one.zone === zone)?.nameservers;
    const records = ds.find((one) => one.zone === zone)?.ds;
    return {
      zone,
      ...(file !== undefined && { file }),
      ...(servers && { servers: servers.map(({ name, glue }) => ({ name, addresses: glue })) }),
      ...(records && { ds: records }),
    };
  });
}
