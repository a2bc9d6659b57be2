import { EXIT, type ExitStatus } from '../process/exit-status.ts';
import type { Io } from '../process/io.ts';

/** Lists what the demo has to show, one line each. */
export async function listShowcases(io: Io): Promise<ExitStatus> {
  const { showcases } = await import('../../lab/demo/showcases.ts');
  const commands = showcases.map(({ name, type, option }) => [name, type, option].join(' ').trim());
  const width = Math.max(...commands.map(({ length }) => length));
  showcases.forEach(({ line }, at) => {
    io.stdout.write(`${commands[at]?.padEnd(width)}  ${line}\n`);
  });
  return EXIT.agreed;
}
