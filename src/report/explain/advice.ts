/** What an end means, and what to do about it. */
export interface Advice {
  /** Sentences for people who know what a name server is, but not much more. */
  readonly means: string;
  /** What helps, and who can do it; empty where nothing is wrong. */
  readonly actions: readonly Action[];
}

/** What someone can do: "the operator of ns1.example", "start the server". */
export interface Action {
  readonly who: string;
  readonly what: string;
}

/** An action as a sentence: "The operator of ns1.example: start the server." */
export function actionSentence({ who, what }: Action): string {
  return `${who.slice(0, 1).toUpperCase()}${who.slice(1)}: ${what}.`;
}
