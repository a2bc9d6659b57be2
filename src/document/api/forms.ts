/** A form of a result. */
interface Form {
  /** As people call it. */
  readonly label: string;
  /** Its media type. */
  readonly type: string;
  /** Of a file's name. */
  readonly ending: string;
}

/** The forms in which a service gives the result of a job, as `format` in a request names them; the page has them too. */
export const RESULT_FORMS = {
  json: { label: 'JSON', type: 'application/json', ending: 'json' },
  text: { label: 'Text', type: 'text/plain', ending: 'txt' },
  md: { label: 'Markdown', type: 'text/markdown', ending: 'md' },
  mermaid: { label: 'Mermaid', type: 'text/plain', ending: 'mmd' },
  dot: { label: 'DOT', type: 'text/vnd.graphviz', ending: 'dot' },
  svg: { label: 'SVG', type: 'image/svg+xml', ending: 'svg' },
} as const satisfies Readonly<Record<string, Form>>;

/** One of these. */
export type ResultForm = keyof typeof RESULT_FORMS;

/** The forms that are made of a result when somebody asks for them; JSON is how it is kept. */
export type RenderedForm = Exclude<ResultForm, 'json'>;

/** Whether a text names a form. */
export function isResultForm(text: string): text is ResultForm {
  return Object.hasOwn(RESULT_FORMS, text);
}
