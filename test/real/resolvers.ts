import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, privateCopy, run } from './daemon.ts';

/** Where one resolver process lives. */
export interface Place {
  readonly address: string;
  /** Its own; configuration and state go here. */
  readonly directory: string;
  /** A root hints file. */
  readonly rootHints: string;
  /** A file with DS records of the root: it validates. Absent: it does not. */
  readonly trustAnchors?: string | undefined;
  /** The folder of another system, whose programs are run. Absent: this one's. */
  readonly root?: string | undefined;
  /** Those that the host has. Absent: IPv4. Each product may use both as it does by default. */
  readonly families?: Families;
}

export type Families = 'IPv4' | 'both';

/** A kind of resolver, and how to make it forget. */
export interface ResolverSoftware {
  readonly name: string;
  /** Debian's package of it. */
  readonly packageName: string;
  /** The folder of the system that it is of. Absent: this one's. */
  readonly root?: string;
  /** Writes the configuration; returns the command that runs the resolver in the foreground. */
  readonly configure: (place: Place) => Promise<Command>;
  /** How it becomes cold: some keep what they know of servers' speed until they are restarted. */
  readonly cold:
    | { readonly by: 'restart' }
    | { readonly by: 'flush'; readonly flush: (place: Place) => Promise<void> };
}

/** The folder in which install-packages.sh keeps the resolvers of Debian 13. */
const TRIXIE = '/var/lib/dns-traversal-real/trixie';

/** The same product as Debian 13 has it. */
export function ofDebian13(software: ResolverSoftware): ResolverSoftware {
  return {
    ...software,
    name: `${software.name} of Debian 13`,
    root: TRIXIE,
    configure: async (place) => await software.configure({ ...place, root: TRIXIE }),
  };
}

/** The command that runs a program in the system that it is of, which sees this one's temporary files. */
function inItsSystem({ root }: Place, command: Command): Command {
  if (root === undefined) return command;
  const script =
    'mkdir -p "$0$1"; mount --rbind "$1" "$0$1"; mount --rbind /dev "$0/dev"; shift; exec chroot "$0" "$@"';
  const args = ['--mount', 'sh', '-ec', script, root, tmpdir(), command.program, ...command.args];
  return { program: 'unshare', args };
}

/** BIND as a resolver. Its address has to be configured on an interface. */
export const bind: ResolverSoftware = bindWith('BIND', '');

/** BIND with a statement more in its options. */
export function bindWith(name: string, setting: string): ResolverSoftware {
  return {
    name,
    packageName: 'bind9',
    configure: (place) => configureBind(place, setting),
    cold: { by: 'flush', flush },
  };
}

/** Of a control channel that only this machine's loopback can reach, in a network of the suite's own. */
const rndcKey = `key "rndc" { algorithm hmac-sha256; secret "c3VpdGUgb2YgcmVhbCByZXNvbHZlcnM="; };`;

async function configureBind(place: Place, setting: string): Promise<Command> {
  const { address, directory, rootHints, trustAnchors, root = '' } = place;
  const config = `
${rndcKey}
controls { inet ${address} port 953 allow { any; } keys { "rndc"; }; };
options {
  directory "${directory}";
  pid-file none; ${root === '' ? 'lock-file none;' : ''} session-keyfile none;
  listen-on { ${address}; }; listen-on-v6 { none; };
  recursion yes; allow-query { any; }; allow-recursion { any; };
  dnssec-validation ${trustAnchors === undefined ? 'no' : 'yes'}; empty-zones-enable no;
  ${setting}
};
${await anchorStatement(trustAnchors)}
zone "." { type hint; file "${rootHints}"; };
`;
  const file = join(directory, 'named.conf');
  await writeFile(file, config);
  await writeFile(
    rndcConfig(directory),
    `${rndcKey}\noptions { default-key "rndc"; default-server ${address}; };\n`,
  );
  const program = await privateCopy(`${root}/usr/sbin/named`, directory);
  return inItsSystem(place, {
    program,
    args: ['-g', ...(place.families === 'both' ? [] : ['-4']), '-n', '1', '-c', file],
  });
}

async function anchorStatement(trustAnchors: string | undefined): Promise<string> {
  if (trustAnchors === undefined) return '';
  const records = (await readFile(trustAnchors, 'utf8')).trim().split('\n');
  const anchors = records.map((record) =>
    record.replace(/^\. IN DS (\d+ \d+ \d+) (.*)$/, '. static-ds $1 "$2";'),
  );
  return `trust-anchors { ${anchors.join(' ')} };`;
}

async function flush({ directory }: Place): Promise<void> {
  await run({ program: '/usr/sbin/rndc', args: ['-c', rndcConfig(directory), 'flush'] });
}

function rndcConfig(directory: string): string {
  return join(directory, 'rndc.conf');
}

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
  return {
    name,
    packageName: 'unbound',
    configure: (place) => configureUnbound(place, setting),
    cold: { by: 'restart' },
  };
}

async function configureUnbound(place: Place, setting: string): Promise<Command> {
  const { address, directory, rootHints, trustAnchors, root = '' } = place;
  const config = `
server:
  interface: ${address}
  access-control: 127.0.0.0/8 allow
  do-ip6: ${place.families === 'both' ? 'yes' : 'no'}
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
  const program = await privateCopy(`${root}/usr/sbin/unbound`, directory);
  return inItsSystem(place, { program, args: ['-d', '-p', '-c', file] });
}

function validation(trustAnchors: string | undefined): string {
  if (trustAnchors === undefined) return 'module-config: "iterator"';
  return `module-config: "validator iterator"\n  trust-anchor-file: "${trustAnchors}"`;
}

/** Knot Resolver. */
export const knotResolver: ResolverSoftware = {
  name: 'Knot Resolver',
  packageName: 'knot-resolver',
  configure: configureKnotResolver,
  cold: { by: 'restart' },
};

async function configureKnotResolver(place: Place): Promise<Command> {
  const { address, directory, rootHints, trustAnchors } = place;
  const config = `
net.ipv6 = ${place.families === 'both'}
net.listen('${address}', 53, { kind = 'dns' })
cache.open(10 * MB, 'lmdb://${directory}/cache')
cache.clear()
modules = { 'hints > iterate' }
modules.unload('ta_update')
modules.unload('ta_signal_query')
modules.unload('ta_sentinel')
modules.unload('detect_time_skew')
trust_anchors.remove('.')
${await anchorCommands(trustAnchors)}
hints.root_file('${rootHints}')
option('ALLOW_LOCAL', true)
policy.special_names = {}
`;
  const file = join(directory, 'kresd.conf');
  await writeFile(file, config);
  return inItsSystem(place, { program: '/usr/sbin/kresd', args: ['-n', '-c', file, directory] });
}

async function anchorCommands(trustAnchors: string | undefined): Promise<string> {
  if (trustAnchors === undefined) return '';
  const records = (await readFile(trustAnchors, 'utf8')).trim().split('\n');
  return records.map((record) => `trust_anchors.add('${record}')`).join('\n');
}

/** PowerDNS Recursor. */
export const powerdnsRecursor = recursorWith('PowerDNS Recursor', '');

/** PowerDNS Recursor that forgets the parent's NS records when it learns the zone's own. */
export const powerdnsWithoutParentSets = recursorWith(
  'PowerDNS Recursor with save-parent-ns-set=no',
  'save-parent-ns-set=no',
);

/** Wiping the cache keeps the speeds of servers, so only a restart is cold. */
function recursorWith(name: string, setting: string): ResolverSoftware {
  return {
    name,
    packageName: 'pdns-recursor',
    configure: (place) => configureRecursor(place, setting),
    cold: { by: 'restart' },
  };
}

async function configureRecursor(place: Place, setting: string): Promise<Command> {
  const { address, directory, rootHints, trustAnchors, root } = place;
  const config = `
local-address=${address}
allow-from=127.0.0.0/8
query-local-address=0.0.0.0
dont-query=
hint-file=${rootHints}
dnssec=${trustAnchors === undefined ? 'off' : 'validate'}
${await anchorSettings(trustAnchors, directory)}
socket-dir=${directory}
security-poll-suffix=
disable-syslog=yes
threads=1
${setting}
`;
  await writeFile(join(directory, 'recursor.conf'), config);
  const args = [`--config-dir=${directory}`, '--daemon=no'];
  // Version 4.8 knows no other settings than the old ones.
  if (root !== undefined) args.push('--enable-old-settings=yes');
  return inItsSystem(place, { program: '/usr/sbin/pdns_recursor', args });
}

/** Trust anchors are set by a file in Lua; those built in have to go first. */
async function anchorSettings(trustAnchors: string | undefined, directory: string): Promise<string> {
  if (trustAnchors === undefined) return '';
  const records = (await readFile(trustAnchors, 'utf8')).trim().split('\n');
  const added = records.map((record) => `addTA('.', '${record.replace(/^\. IN DS /, '')}')`);
  const file = join(directory, 'anchors.lua');
  await writeFile(file, `clearTA('.')\n${added.join('\n')}\n`);
  return `lua-config-file=${file}`;
}

/** Hickory DNS as a resolver. */
export const hickory: ResolverSoftware = {
  name: 'Hickory DNS',
  packageName: 'hickory-dns',
  configure: configureHickory,
  cold: { by: 'restart' },
};

async function configureHickory(place: Place): Promise<Command> {
  const { address, directory, rootHints } = place;
  const config = `
listen_addrs_ipv4 = ["${address}"]
[[zones]]
zone = "."
zone_type = "Hint"
stores = { type = "recursor", roots = "${rootHints}" }
`;
  const file = join(directory, 'named.toml');
  await writeFile(file, config);
  return inItsSystem(place, { program: '/usr/bin/hickory-dns', args: ['-q', '-c', file] });
}
