import { readFileSync } from 'node:fs';
import { VERSION } from '../../base/version.ts';

/** The code hosts for which there is a workflow. */
export const WORKFLOW_HOSTS = ['github', 'gitlab'] as const;

/** A code host. */
export type WorkflowHost = (typeof WORKFLOW_HOSTS)[number];

/** The text of a workflow, in YAML, that checks a plan with this version of the program. */
export function workflowFile(host: WorkflowHost): string {
  const template = readFileSync(new URL(`./workflows/${host}.yml`, import.meta.url), 'utf8');
  return template.replaceAll('@VERSION@', VERSION);
}
