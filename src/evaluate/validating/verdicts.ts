import type { Security } from '../../dns/dnssec/verdict.ts';
import { proofNeedKey } from '../../explore/proof-knowledge.ts';
import type { Distribution } from '../distribution.ts';
import { type End, isUnknown } from '../end.ts';
import {
  type AddressOutcome,
  type ExchangeVerdict,
  type LearningStage,
  STATES,
  type ValidatedWalkStep,
  type Walk,
} from '../step.ts';
import { commonCause } from './common-cause.ts';

/** What was made of exchanges, by their keys. */
type Verdicts = Map<string, ExchangeVerdict>;

/** Takes note of a verdict on an exchange: of several the worst counts. */
export function noteVerdict(verdicts: Verdicts, exchange: string, verdict: ExchangeVerdict): void {
  const known = verdicts.get(exchange);
  verdicts.set(exchange, known === undefined ? verdict : together(known, verdict));
}

function together(one: ExchangeVerdict, other: ExchangeVerdict): ExchangeVerdict {
  const [worst, better] = BADNESS[other.status] > BADNESS[one.status] ? [other, one] : [one, other];
  if (worst.status === 'insecure' && worst.why === undefined && better.status === 'insecure') return better;
  if (worst.status !== 'bogus') return worst;
  const [otherwise] = [securityIn(worst), securityIn(better)]
    .filter((security) => security !== undefined)
    .sort((a, b) => BADNESS[a] - BADNESS[b]);
  return otherwise === undefined ? worst : { ...worst, otherwise };
}

/** The best that an exchange is to some paths, if they have a use for it. */
function securityIn(verdict: ExchangeVerdict): Security | undefined {
  switch (verdict.status) {
    case 'secure':
    case 'insecure':
      return verdict.status;
    case 'unknown':
      return undefined;
    case 'bogus':
      return verdict.otherwise;
  }
}

const BADNESS: Readonly<Record<ExchangeVerdict['status'], number>> = {
  secure: 0,
  insecure: 1,
  unknown: 2,
  bogus: 3,
};

/** What is made of everything that the addresses of a step bring, as far as some resolver comes to ask for it. */
export function verdictsAt(step: ValidatedWalkStep, lookups: (walk: Walk) => Distribution): Verdicts {
  const verdicts: Verdicts = new Map();
  const note = (stage: LearningStage, stops: Stops): void => {
    const outcomes: readonly AddressOutcome<unknown>[] = STATES.flatMap((state) => [
      ...stage.heard[state].values(),
    ]);
    for (const outcome of outcomes) noteOne(outcome, stops, verdicts);
    if (stage.kind === 'reply') return;
    const next = new Set(
      STATES.flatMap((state) =>
        [...stage.heard[state].values()].flatMap((one) => (one.kind === 'good' ? [one.good] : [])),
      ),
    );
    for (const one of next) note(one, stops);
    if (stage.kind === 'keys' || next.size > 0) return;
    if (stage.failed !== undefined) note(stage.failed, stops);
    else {
      const cause = commonCause(step, outcomes, lookups);
      note(stage.stopped, new Map([...stops, [proofNeedKey(stage.want), cause]]));
    }
  };
  note(step.validated.learning, new Map());
  return verdicts;
}

/** What keeps resolvers from learning things, by the keys of these. */
type Stops = ReadonlyMap<string, End>;

function noteOne(outcome: AddressOutcome<unknown>, stops: Stops, verdicts: Verdicts): void {
  switch (outcome.kind) {
    case 'good':
    case 'bogus':
      noteVerdict(verdicts, outcome.about.exchange, outcome.about.verdict);
      return;
    case 'stopped': {
      const cause = stops.get(outcome.by);
      if (cause === undefined) return;
      const reason = cause.kind === 'bogus' ? cause.reason : 'no-proof';
      const verdict = isUnknown(cause)
        ? ({ status: 'unknown' } as const)
        : ({ status: 'bogus', reason } as const);
      noteVerdict(verdicts, outcome.exchange, verdict);
      return;
    }
    case 'unused':
    case 'limited':
  }
}
