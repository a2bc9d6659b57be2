import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, privateCopy } from '../daemon.ts';
import type { Place, ResolverSoftware } from './resolver.ts';

/** Unbound. */
export const unbound = unboundWith('unbound', '');

/** Unbound that believes NS records that come with an answer, as it did before the fix of CVE-2025-11411. */
export const trustingUnbound = unboundWith(
  'unbound with iter-scrub-promiscuous: no',
  'iter-scrub-promiscuous: no',
);

/** Unbound that asks the servers of a delegation for the NS records of the zone. */
export const verifyingUnbound = unboundWith(
  'unbound with harden-referral-path: yes',
  'harden-referral-path: yes',
);

/** A reload keeps round-trip times, so only a restart is cold. */
export function unboundWith(name: string, setting: string): ResolverSoftware {
  return { name, configure: (place) => configure(place, setting), cold: { by: 'restart' } };
}

async function configure(
  { address, directory, rootHints, trustAnchors }: Place,
  setting: string,
): Promise<Command> {
  const config = `
server:
  interface: ${address}
  access-control: 127.0.0.0/8 allow
  do-ip6: no
  do-daemonize: no
  username: ""
  chroot: ""
  directory: "${directory}"
  pidfile: ""
  use-syslog: no
  root-hints: "${rootHints}"
  ${validation(trustAnchors)}
  do-not-query-localhost: no
  local-zone: "test." nodefault
  ${setting}
remote-control:
  control-enable: no
`;
  const file = join(directory, 'unbound.conf');
  await writeFile(file, config);
  const program = await privateCopy('/usr/sbin/unbound', directory);
  return { program, args: ['-d', '-p', '-c', file] };
}

function validation(trustAnchors: string | undefined): string {
  if (trustAnchors === undefined) return 'module-config: "iterator"';
  return `module-config: "validator iterator"\n  trust-anchor-file: "${trustAnchors}"`;
}
