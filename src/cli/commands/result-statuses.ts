import type { HelpItem } from '../process/help.ts';

/**
 * The exit statuses of a command that prints or follows a result, for its help. `obstacle`: what else than
 * the network may keep it from its work. `interrupted`: what becomes of the work then.
 */
export function resultStatuses(obstacle: string, interrupted: string): readonly HelpItem[] {
  return [
    ['0', 'every path ends in the same answer, NODATA or NXDOMAIN, and no finding is an error or worse'],
    ['1', 'trouble: paths that fail, answers that differ, or a finding that is an error or worse'],
    ['2', 'wrong usage'],
    ['3', `failed or incomplete: no network, DNS intercepted on the way, a limit reached, ${obstacle}`],
    ['130', `interrupted; ${interrupted}`],
  ];
}
