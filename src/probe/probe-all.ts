import type { Probe, Probed, Probing } from '../exchange/probed.ts';
import type { Query } from '../exchange/query.ts';
import { type Budget, BudgetGuard } from '../explore/budget.ts';
import { Denied } from '../explore/policy/policy.ts';

/** What probes are carried out with. */
interface ProbingSurroundings {
  readonly probing: Probing;
  /** What is left of the traversal's budget. */
  readonly budget: Budget;
  /** Whether the policy in force allows a query: is asked before each packet. */
  readonly mayAsk: (query: Query) => boolean;
  readonly signal: AbortSignal;
}

/**
 * Carries out all probes at once, as far as pacing, the budget and the signal allow, and resolves with those
 * of which something came, in their order. What the policy forbids is not sent. Rejects only for a bug.
 */
export async function probeAll(
  probes: readonly Probe[],
  { probing, budget, mayAsk, signal }: ProbingSurroundings,
): Promise<readonly Probed[]> {
  const guard = new BudgetGuard(budget, signal);
  const carryOut = async (probe: Probe): Promise<readonly Probed[]> => {
    const leaving = () => {
      if (!mayAsk(probe)) throw new Denied();
      guard.send();
    };
    try {
      const probed = await probing(probe, guard.stop, leaving);
      guard.hear(probed.traffic.bytesReceived);
      return [probed];
    } catch (error) {
      if (guard.stop.aborted || error instanceof Denied) return [];
      throw error;
    }
  };
  try {
    return (await Promise.all(probes.filter(mayAsk).map(carryOut))).flat();
  } catch (bug) {
    // Nobody takes the other replies any more.
    guard.cancel();
    throw bug;
  } finally {
    guard.release();
  }
}
