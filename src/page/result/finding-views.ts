import type { Finding, Severity } from '../../document/findings.ts';
import type { TraversalResult } from '../../document/result.ts';
import { type AlikeFindings, findingFamilies, findingSentences } from '../../reading/finding-families.ts';
import { findingPlace } from '../../reading/finding-place.ts';
import type { BoxServer } from '../../report/graph/box-servers.ts';

/** Findings that say the same, as the page shows them. */
export interface FindingView {
  readonly key: string;
  readonly severity: Severity;
  readonly code: string;
  readonly place: string;
  readonly sentences: readonly string[];
  /** Identifiers of the exchanges that prove it. */
  readonly exchanges: readonly string[];
  readonly findings: AlikeFindings;
}

/** A finding, with those that merely follow from it. */
export interface FindingFamilyView extends FindingView {
  readonly consequences: readonly FindingView[];
}

/** The findings of a result, the worst first. */
export function findingViews({ findings }: Pick<TraversalResult, 'findings'>): readonly FindingFamilyView[] {
  return findingFamilies(findings, 'terse').map(({ alike, consequences }) => ({
    ...viewOf(alike),
    consequences: consequences.map(viewOf),
  }));
}

function viewOf(alike: AlikeFindings): FindingView {
  const [first] = alike;
  return {
    key: first.id,
    severity: first.severity,
    code: first.code,
    place: findingPlace(first),
    sentences: findingSentences(alike),
    exchanges: [...new Set(alike.flatMap(({ exchanges }) => exchanges))],
    findings: alike,
  };
}

/** Says of a server whether findings are about it. */
export type PointsAt = (server: BoxServer) => boolean;

/** Points at no server. */
export const POINTS_NOWHERE: PointsAt = () => false;

/** The servers that findings are about: those they name, otherwise those whose exchanges prove them. */
export function pointsAt(
  findings: readonly Finding[],
  { exchanges }: Pick<TraversalResult, 'exchanges'>,
): PointsAt {
  const addresses = new Map(exchanges.map(({ id, server }) => [id, server.address]));
  const each = findings.map((finding) => pointer(finding, addresses));
  return (server) => each.some((points) => points(server));
}

function pointer({ server, zone, exchanges }: Finding, addresses: ReadonlyMap<string, string>): PointsAt {
  if (server !== undefined) {
    const { name, address } = server;
    return (one) => one.name === name && (address === undefined || one.address === address);
  }
  const proven = new Set(exchanges.flatMap((id) => addresses.get(id) ?? []));
  return (one) =>
    one.address !== undefined && proven.has(one.address) && (zone === undefined || one.zone === zone);
}
