import type { Finding } from '../../../src/document/finding.ts';
import type { TraversalResult, VerdictStatus } from '../../../src/document/result.ts';
import { plain } from '../../../src/document/words/names.ts';
import { adviceOn } from '../../../src/report/views/advice.ts';
import { SIGNED } from './healthy-signed.ts';
import { UNSIGNED } from './healthy-unsigned.ts';
import { changed, type WorldChange, type WorldRow } from './world-row.ts';

const HEALTHY = { ...UNSIGNED, ...SIGNED };

/** A healthy world with one fault, and what it has to come to. */
export interface PlantedRow {
  readonly in: keyof typeof HEALTHY;
  readonly change: WorldChange;
  readonly tells: Told;
}

/** What somebody who repairs reads first. */
export interface Told {
  /** "CODE culprit: scope" for each cause, the worst first, each once. */
  readonly finds: readonly string[];
  /** Who can act, by the first advice. */
  readonly acts: string;
  readonly status: VerdictStatus;
}

/** The healthy world with the fault. */
export function planted({ in: healthy, change }: PlantedRow): WorldRow {
  return changed(HEALTHY[healthy], change);
}

const MATTERS: readonly string[] = ['warning', 'error', 'critical'];

/** Findings that somebody has to repair. */
export function alarms({ findings }: TraversalResult): readonly Finding[] {
  return findings.filter(({ severity }) => MATTERS.includes(severity));
}

/** What a result tells; of what need not be repaired only the codes that a row names. */
export function told(result: TraversalResult, { finds }: Told): Told {
  const named = finds.map((line) => line.split(' ')[0]);
  const causes = result.findings.filter(
    ({ severity, code, causes }) =>
      causes.length === 0 && (MATTERS.includes(severity) || named.includes(code)),
  );
  const [first] = adviceOn(result.findings, 'terse');
  return {
    finds: [...new Set(causes.map(spelled))],
    acts: first?.action?.split(': ')[0] ?? '',
    status: result.verdict.status,
  };
}

function spelled({ code, zone, server, scope }: Finding): string {
  const { names = [], types = [] } = scope ?? {};
  const words = [...names.map(plain), ...types].join(' ');
  const culprit = server?.name ?? zone;
  const fails = scope === undefined ? '' : `: ${words === '' ? 'everything' : words}`;
  return `${code}${culprit === undefined ? '' : ` ${plain(culprit)}`}${fails}`;
}
