import type { TraversalResult } from '../../document/result.ts';

/** A form in which a result can be saved. */
export interface ExportForm {
  readonly label: string;
  /** Of the file's name. */
  readonly ending: string;
  readonly type: string;
  /** What makes it is loaded only then. */
  readonly make: (result: TraversalResult) => Promise<string>;
}

/** The forms, each as `svc traverse --format` writes it. */
export const EXPORT_FORMS: readonly ExportForm[] = [
  {
    label: 'JSON',
    ending: 'json',
    type: 'application/json',
    make: async (result) => `${JSON.stringify(result)}\n`,
  },
  {
    label: 'Text',
    ending: 'txt',
    type: 'text/plain',
    make: async (result) => {
      const { renderText } = await import('../../report/render/render-text.ts');
      return renderText(result, { colour: 'off', detail: 'terse', width: COLUMNS });
    },
  },
  {
    label: 'Markdown',
    ending: 'md',
    type: 'text/markdown',
    make: async (result) => (await import('../../report/markdown/markdown.ts')).renderMarkdown(result),
  },
  {
    label: 'Mermaid',
    ending: 'mmd',
    type: 'text/plain',
    make: async (result) => (await import('../../report/graph/mermaid.ts')).renderMermaid(result),
  },
  {
    label: 'DOT',
    ending: 'dot',
    type: 'text/vnd.graphviz',
    make: async (result) => (await import('../../report/graph/dot.ts')).renderDot(result),
  },
];

/** As wide as text is where nobody says how wide it may be. */
const COLUMNS = 100;

/** What files about a result are called, without their ending. Only harmless characters are left. */
export function fileNameFor({ query: { name, type } }: Pick<TraversalResult, 'query'>): string {
  const plainName = name === '.' ? 'root' : name.slice(0, -1).replace(/[^\w.-]+/g, '_');
  return `${plainName.replace(/^[.-]+/, '_').slice(0, LONGEST)}-${type}`;
}

/** Names of files may have 255 octets. */
const LONGEST = 200;
