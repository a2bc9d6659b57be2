/** The forms in which a service gives the result of a job beside JSON, as `format` in a request names them. */
export const RESULT_FORMS = ['text', 'dot', 'mermaid', 'svg'] as const;

/** One of these. */
export type ResultForm = (typeof RESULT_FORMS)[number];
