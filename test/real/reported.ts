/** What the suite reads of a traversal's JSON: as svc-api(5), RESULT has it, not as the program's types do. */
export interface ReportedTraversal extends ReportedViews {
  readonly complete: boolean;
  /** With --check only. */
  readonly warm?: ReportedViews;
  readonly exchanges: readonly {
    readonly server: { readonly address: string };
    readonly question: ReportedQuestion;
  }[];
  readonly stats: { readonly paths: string };
}

/** Both views of one walk. */
export interface ReportedViews {
  readonly outcomes: readonly ReportedOutcome[];
  readonly resolver: { readonly outcomes: readonly ReportedOutcome[] };
}

export interface ReportedQuestion {
  readonly name: string;
  readonly type: string;
}

/** An end; the fields that only some kinds have are optional. */
export interface ReportedEnd {
  readonly kind: string;
  readonly question: ReportedQuestion;
  readonly zone: string;
  readonly server: { readonly name: string; readonly address: string } | null;
  readonly records?: readonly { readonly type: string; readonly data: string }[];
  readonly aliases?: readonly string[];
  readonly rcode?: string;
  readonly reason?: string;
  readonly referredTo?: string;
  readonly nameserver?: string;
  readonly target?: string;
  readonly cause?: ReportedEnd;
}

export interface ReportedOutcome extends ReportedEnd {
  readonly fraction: string;
}
