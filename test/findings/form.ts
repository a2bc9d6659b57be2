import type { Finding } from '../../src/document/findings.ts';
import type { TraversalResult } from '../../src/document/result.ts';

/** Findings, and the identifiers of all that can prove them. */
interface Proven extends Pick<TraversalResult, 'findings'> {
  readonly exchanges: readonly { readonly id: string }[];
  readonly probes?: readonly { readonly id: string }[] | undefined;
}

/** What is wrong with the form of findings, whatever servers say: one line for each mistake, so none for good ones. */
export function formMistakes({ findings, exchanges, probes = [] }: Proven): readonly string[] {
  const ids = new Set([...exchanges, ...probes].map(({ id }) => id));
  const causes = new Set<string>();
  return findings.flatMap((finding, index) => {
    const { id, consequenceOf, message } = finding;
    if (consequenceOf === undefined) causes.add(id);
    const rules: Readonly<Record<string, boolean>> = {
      [`is not f${index + 1}`]: id === `f${index + 1}`,
      'comes before its cause': consequenceOf === undefined || causes.has(consequenceOf),
      'is not two printable sentences': /^[ -~]+[^.]\. [A-Z][ -~]*[^.]\.$/.test(message),
      'has a hole in its text': !/undefined|NaN|\[object/.test(message),
      'is proven by what is not there': finding.exchanges.every((exchange) => ids.has(exchange)),
    };
    return broken(rules, finding);
  });
}

function broken(rules: Readonly<Record<string, boolean>>, { code, message }: Finding): readonly string[] {
  return Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : [`${code} ${rule}: ${message}`]));
}
