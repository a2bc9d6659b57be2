import { join } from 'node:path';
import type { Test } from 'tap';
import { startLab } from '../../src/lab/lab.ts';
import { zoneText } from '../../src/lab/zone-text.ts';
import { type HeldServer, holdServer } from './held-server.ts';
import { type Spawned, startServe } from './spawned.ts';

/** The name to ask such a service for. */
export const HELD_NAME = 'www.held.test';

const ROOT = '127.0.15.1';
const PROMPT = '127.0.15.2';
const HELD = '127.0.15.3';
const BEHIND = '127.0.15.4';

/** A service whose traversals of www.held.test wait for one name server until that is released. */
export interface HeldService {
  readonly service: Spawned;
  readonly held: HeldServer;
  /** The service again, at another port, after it was killed. */
  readonly restart: () => Promise<Spawned>;
}

/** Starts one, with more flags and other variables of the environment. */
export async function startHeldService(
  t: Test,
  flags: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<HeldService> {
  const zone = `@ NS ns1\n@ NS ns2\nns1 A ${PROMPT}\nns2 A ${HELD}\nwww A 203.0.113.80`;
  const top = `. NS a.root.\na.root. A ${ROOT}\nheld.test NS ns1.held.test.\nheld.test NS ns2.held.test.`;
  const glue = `ns1.held.test A ${PROMPT}\nns2.held.test A ${HELD}`;
  const lab = await startLab({
    servers: [
      { name: 'a.root.', addresses: [ROOT], zones: [zoneText('.', `${top}\n${glue}`)] },
      { name: 'ns1.held.test.', addresses: [PROMPT], zones: [zoneText('held.test.', zone)] },
      { name: 'behind.held.test.', addresses: [BEHIND], zones: [zoneText('held.test.', zone)] },
    ],
  });
  t.teardown(lab.close);
  const held = await holdServer(t, { address: HELD, behind: BEHIND, port: lab.port });
  const hints = join(t.testdir({ hints: lab.hints }), 'hints');
  const network = ['--root-hints', hints, '--port', `${lab.port}`, '--allow-special-targets', '-4'];
  const patience = ['--rate', '0', '--timeout', '60s', '--retries', '0'];
  const start = () => startServe(t, [...network, ...patience, ...flags], env);
  return { service: await start(), held, restart: start };
}
