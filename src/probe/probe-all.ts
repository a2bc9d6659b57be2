import type { Probe, Probed, Probing } from '../exchanged.ts';
import { type Budget, Leash } from '../explore/budget.ts';
import type { Policy } from '../explore/policy.ts';

/** What probes are carried out with. */
interface ProbingSurroundings {
  readonly probing: Probing;
  /** What is left of the traversal's budget. */
  readonly budget: Budget;
  readonly policy: Policy;
  readonly signal: AbortSignal;
}

/**
 * Carries out all probes at once, as far as pacing, the budget and the signal allow, and resolves with those
 * of which something came, in their order. What the policy forbids is not sent. Rejects only for a bug.
 */
export async function probeAll(
  probes: readonly Probe[],
  { probing, budget, policy, signal }: ProbingSurroundings,
): Promise<readonly Probed[]> {
  const leash = new Leash(budget, signal);
  const carryOut = async (probe: Probe): Promise<readonly Probed[]> => {
    try {
      const probed = await probing(probe, leash.stop, () => leash.send());
      leash.hear(probed.traffic.bytesReceived);
      return [probed];
    } catch (error) {
      if (leash.stop.aborted) return [];
      throw error;
    }
  };
  try {
    const allowed = probes.filter(({ address, question }) => !isDenied(policy, address, question.name));
    return (await Promise.all(allowed.map(carryOut))).flat();
  } catch (bug) {
    // Nobody takes the other replies any more.
    leash.callOff();
    throw bug;
  } finally {
    leash.release();
  }
}

function isDenied(policy: Policy, address: string, name: Probe['question']['name']): boolean {
  return policy.deniesAddress(address) || policy.deniesName(name);
}
