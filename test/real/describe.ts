import type { ReportedEnd, ReportedOutcome } from './reported.ts';
import type { ExpectedEnd } from './world/expectation.ts';

/** Puts a reported outcome into the words of the expected ones, so that they can be compared. */
export function describeOutcome(outcome: ReportedOutcome): ExpectedEnd {
  return [outcome.fraction, whatOf(outcome), whereOf(outcome), serverOf(outcome)];
}

function whatOf(end: ReportedEnd): string {
  const parts = [
    end.kind,
    ...(end.records ?? []).map((record) => record.data).sort(),
    ...follow(end.aliases ?? []),
    end.rcode,
    end.reason,
    end.referredTo && `to ${end.referredTo}`,
    end.nameserver,
    end.target && `to ${end.target}`,
    end.cause && `because ${whatOf(end.cause)}, ${whereOf(end.cause)}, ${serverOf(end.cause)}`,
  ];
  return parts.filter((part) => part !== undefined).join(' ');
}

function follow(aliases: readonly string[]): readonly string[] {
  return aliases.length > 0 ? ['following', ...aliases] : [];
}

function whereOf({ question, zone }: ReportedEnd): string {
  return `${question.name} ${question.type} in ${zone}`;
}

function serverOf({ server }: ReportedEnd): string {
  return server === null ? '-' : `${server.name} ${server.address}`;
}
