import type { Command } from '../daemon.ts';
import type { NameServer } from '../world/zone.ts';
import { configureBind } from './bind.ts';
import { configureKnot } from './knot.ts';
import { configureNsd } from './nsd.ts';
import { configurePowerdns } from './powerdns.ts';

/** Writes a server's configuration and zones into `directory`; returns what runs it there. */
export function configureServer(server: NameServer, directory: string): Promise<Command> {
  switch (server.software) {
    case 'bind':
      return configureBind(server, directory);
    case 'nsd':
      return configureNsd(server, directory);
    case 'knot':
      return configureKnot(server, directory);
    case 'powerdns':
      return configurePowerdns(server, directory);
  }
}
