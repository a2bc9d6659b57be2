import { addConfigFlag, type ConfigFlags } from '../flags/expect-flags.ts';
import { EXIT, type ExitStatus, notDone, usageError } from '../process/errors.ts';
import { addHelpSections, type Configure } from '../process/help.ts';
import type { Io } from '../process/io.ts';
import { configPath, readConfigurationAt } from '../runner/input-files.ts';

/** `svc config`. */
export const configureConfig: Configure = (command, { io, exit }) => {
  addConfigFlag(command);
  command.option('--check', 'check the file, and print nothing unless it is invalid');
  addHelpSections(command, {
    exitStatus: [
      ['0', 'the configuration is valid'],
      ['2', 'wrong usage'],
      ['3', 'the file cannot be read, or is not a valid configuration'],
    ],
    examples: [['svc config'], ['svc config --check --config names.json']],
  });
  command.action(async (flags: ShowFlags) => exit(await showConfig(flags, io)));
};

interface ShowFlags extends ConfigFlags {
  readonly check?: true;
}

async function showConfig(flags: ShowFlags, io: Io): Promise<ExitStatus> {
  const path = configPath(flags, io);
  if (path === undefined) throw usageError('--config none reads no file: leave it out, or name a file');
  const configuration = await readConfigurationAt(path);
  if (configuration === undefined)
    throw notDone(`there is no ${path}: create it as svc-config(1) shows, or name a file with --config`);
  if (flags.check) return EXIT.agreed;
  io.stdout.write(`${path}\n`);
  for (const { match, expect = [], ignore = [] } of configuration.names) {
    const wishes = [...expect.map((item) => `expect ${item}`), ...ignore.map((code) => `ignore ${code}`)];
    io.stdout.write(`  ${match.text}: ${wishes.join(', ') || 'nothing'}\n`);
  }
  return EXIT.agreed;
}
