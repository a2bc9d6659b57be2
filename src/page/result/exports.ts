import type { TraversalResult } from '../../document/result.ts';
import { FORMATS, type FormatIn, formatsIn } from '../../report/formats.ts';
import { withoutFinalDot } from '../../wire/name.ts';

/** A format in which a result can be saved. */
export type ExportFormat = FormatIn<'page'>;

/** The formats to choose from. The picture is saved where it is shown. */
export const EXPORT_FORMATS: readonly ExportFormat[] = formatsIn('page');

/** A result as `svc traverse --format` writes it. */
export async function exported(format: ExportFormat, result: TraversalResult): Promise<string> {
  const { made } = FORMATS[format];
  switch (made.kind) {
    case 'document':
      return `${JSON.stringify(result)}\n`;
    case 'text':
      return await made.render(result, { colour: 'off', detail: 'terse', width: COLUMNS });
  }
}

/** As wide as text is where nobody says how wide it may be. */
const COLUMNS = 100;

/** What files about a result are called, without their ending. Only harmless characters are left. */
export function fileNameFor({ query: { name, type } }: Pick<TraversalResult, 'query'>): string {
  const plainName = name === '.' ? 'root' : withoutFinalDot(name).replace(/[^\w.-]+/g, '_');
  return `${plainName.replace(/^[.-]+/, '_').slice(0, LONGEST)}-${type}`;
}

/** Names of files may have 255 octets. */
const LONGEST = 200;
