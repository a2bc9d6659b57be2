import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { parse } from 'yaml';
import { VERSION } from '../../src/base/version.ts';
import { ROOT } from '../sources.ts';
import { inside } from './inside.ts';

const run = promisify(execFile);

const ZONE = `$TTL 300
@     SOA   ns1.harbour.example. host 7 7200 900 1209600 300
@     NS    ns1.harbour.example.
@     NS    ns2.harbour.example.
www   A     198.51.100.77
`;

interface Github {
  readonly env: { readonly PLAN: string };
  readonly on: { readonly pull_request: { readonly paths: readonly string[] } };
  readonly jobs: { readonly plan: { readonly steps: readonly { readonly run?: string }[] } };
}
interface Gitlab {
  readonly 'dns-plan': {
    readonly variables: { readonly PLAN: string };
    readonly rules: readonly { readonly changes: readonly string[] }[];
    readonly script: readonly string[];
    readonly artifacts: { readonly paths: readonly string[]; readonly reports: { readonly junit: string } };
  };
}

async function workflow<T>(host: string): Promise<T> {
  const { status, stdout } = await inside(['plan', '--workflow', host]);
  if (status !== 0) throw new Error(`no workflow for ${host}`);
  return parse(stdout);
}

/** Runs the commands that call svc as a runner would, in a folder with zones, where svc asks the demo. */
async function runScript(folder: string, plan: string, commands: readonly string[], zone = ZONE) {
  const bin = join(folder, 'bin');
  for (const dir of [bin, join(folder, plan)]) mkdirSync(dir, { recursive: true });
  writeFileSync(join(folder, plan, 'shop.example.zone'), zone);
  const program = join(ROOT, 'bin/svc.js');
  writeFileSync(join(bin, 'svc'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@" --demo --quick\n`);
  chmodSync(join(bin, 'svc'), 0o755);
  const env = {
    PATH: `${bin}:${dirname(process.execPath)}:${process.env.PATH ?? ''}`,
    PLAN: plan,
    GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
  };
  return await run('sh', ['-e', '-c', commands.join('\n')], { cwd: folder, env }).then(
    () => 0,
    ({ code }: { readonly code: number }) => code,
  );
}

/** Checks the command that installs the program, and returns the others. */
function beyondInstallation(t: Test, commands: readonly string[]): readonly string[] {
  const [install, ...others] = commands;
  t.equal(install, `npm install --global --omit=optional dns-traversal-service@${VERSION}`);
  return others;
}

t.test('the workflow for GitHub', async (t) => {
  const { env, on, jobs } = await workflow<Github>('github');
  t.same(on.pull_request.paths, [`${env.PLAN}/**`]);
  const commands = jobs.plan.steps.flatMap((step) => step.run ?? []);
  const script = beyondInstallation(t, commands);
  const folder = t.testdir({});
  t.equal(await runScript(folder, env.PLAN, script), 0);
  t.match(
    readFileSync(join(folder, 'summary.md'), 'utf8'),
    '**shop.example, 7 names: 1 the same, 6 change.**',
  );
  const [log] = JSON.parse(readFileSync(join(folder, 'plan.sarif'), 'utf8')).runs;
  t.equal(log.invocations.length, 7, 'the names of the file, and types that only the servers of today have');
});

t.test('the workflow for GitLab', async (t) => {
  const { 'dns-plan': job } = await workflow<Gitlab>('gitlab');
  const { PLAN } = job.variables;
  t.same(job.rules[0]?.changes, [`${PLAN}/**/*`]);
  const script = beyondInstallation(t, job.script);
  const folder = t.testdir({});
  t.equal(await runScript(folder, PLAN, script, `${ZONE}www CNAME mail\n`), 1, 'the job fails');
  t.match(
    readFileSync(join(folder, job.artifacts.reports.junit), 'utf8'),
    /name="zone files" tests="1" failures="1"/,
  );
  for (const path of job.artifacts.paths) t.ok(existsSync(join(folder, path)), path);
});

t.test('a workflow is all that is printed', async (t) => {
  t.equal((await inside(['plan', 'zones', '--workflow', 'github'])).status, 2);
  t.equal((await inside(['plan', '--schema', '--workflow', 'github'])).status, 2);
  t.equal((await inside(['plan', '--workflow', 'gitea'])).status, 2);
  t.match((await inside(['plan', 'x', '--write', 'svg=x'])).stderr, '--write "svg=x": write FORMAT=FILE');
});
