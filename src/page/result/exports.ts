import { RESULT_FORMS, type ResultForm } from '../../document/api/forms.ts';
import type { TraversalResult } from '../../document/result.ts';
import { withoutFinalDot } from '../../wire/name.ts';

/** A form in which a result can be saved. */
export interface ExportForm {
  readonly label: string;
  /** Of the file's name. */
  readonly ending: string;
  readonly type: string;
  /** What makes it is loaded only then. */
  readonly make: (result: TraversalResult) => Promise<string>;
}

/** What makes each form, as `svc traverse --format` writes it. The picture is saved where it is shown. */
const MAKERS: Readonly<Record<Exclude<ResultForm, 'svg'>, ExportForm['make']>> = {
  json: async (result) => `${JSON.stringify(result)}\n`,
  text: async (result) => {
    const { renderText } = await import('../../report/render/render-text.ts');
    return renderText(result, { colour: 'off', detail: 'terse', width: COLUMNS });
  },
  md: async (result) => (await import('../../report/markdown/markdown.ts')).renderMarkdown(result),
  mermaid: async (result) => (await import('../../report/graph/mermaid.ts')).renderMermaid(result),
  dot: async (result) => (await import('../../report/graph/dot.ts')).renderDot(result),
};

/** The forms to choose from. */
export const EXPORT_FORMS: readonly ExportForm[] = (['json', 'text', 'md', 'mermaid', 'dot'] as const).map(
  (form) => ({ ...RESULT_FORMS[form], make: MAKERS[form] }),
);

/** As wide as text is where nobody says how wide it may be. */
const COLUMNS = 100;

/** What files about a result are called, without their ending. Only harmless characters are left. */
export function fileNameFor({ query: { name, type } }: Pick<TraversalResult, 'query'>): string {
  const plainName = name === '.' ? 'root' : withoutFinalDot(name).replace(/[^\w.-]+/g, '_');
  return `${plainName.replace(/^[.-]+/, '_').slice(0, LONGEST)}-${type}`;
}

/** Names of files may have 255 octets. */
const LONGEST = 200;
