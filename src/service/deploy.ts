import { readFileSync } from 'node:fs';
import { VERSION } from '../base/version.ts';

/** The files that put a service into production, by the word that `svc deploy` takes. */
export const DEPLOY_FILES = {
  containerfile: { file: 'Containerfile', purpose: 'an image of this version, for podman or docker' },
  compose: { file: 'compose.yaml', purpose: 'the service with PostgreSQL and Caddy, in containers' },
  systemd: { file: 'svc.service', purpose: 'a unit for systemd' },
  nginx: { file: 'nginx.conf', purpose: 'nginx in front of the service' },
  caddy: { file: 'Caddyfile', purpose: 'Caddy in front of the service' },
  grafana: { file: 'grafana.json', purpose: 'a dashboard for Grafana, with the metrics in Prometheus' },
} as const;

export type DeployKind = keyof typeof DEPLOY_FILES;

/** The text of such a file, for this version of the program. */
export function deployFile(kind: DeployKind): string {
  const template = readFileSync(new URL(`./deploy/${DEPLOY_FILES[kind].file}`, import.meta.url), 'utf8');
  return template.replaceAll('@VERSION@', VERSION);
}
