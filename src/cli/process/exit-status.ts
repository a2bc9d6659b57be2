/** What the program's exit status means: svc(1), EXIT STATUS. */
export const EXIT = { agreed: 0, trouble: 1, usage: 2, notDone: 3, interrupted: 130 } as const;

/** One of the exit statuses. */
export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];
