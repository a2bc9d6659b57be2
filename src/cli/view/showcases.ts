import { EXIT, type ExitStatus } from '../process/exit-status.ts';
import type { Io } from '../process/io.ts';

/** Lists what the demo has to show, one line each. */
export async function listShowcases(io: Io): Promise<ExitStatus> {
  const { showcases } = await import('../../lab/demo/showcases.ts');
  const width = Math.max(...showcases.map(({ name, type }) => name.length + 1 + type.length));
  for (const { name, type, line } of showcases) {
    io.stdout.write(`${`${name} ${type}`.padEnd(width)}  ${line}\n`);
  }
  return EXIT.agreed;
}
