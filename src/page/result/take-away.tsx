import type { TraversalResult } from '../../document/result.ts';
import { FORMATS } from '../../report/formats.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { serviceFacts } from '../parts/service-facts.ts';
import { saveFile } from '../picture/save-file.ts';
import { commandLine } from './command-line.ts';
import { EXPORT_FORMATS, type ExportFormat, exported, fileNameFor } from './exports.ts';

/** Files with what is shown, and the command that gives the same. */
export function TakeAway({ result }: { readonly result: TraversalResult }) {
  const command = commandLine(result, { url: location.origin, usual: serviceFacts().usual });
  const save = async (format: ExportFormat) => {
    const { ending, mediaType } = FORMATS[format];
    saveFile(`${fileNameFor(result)}.${ending}`, mediaType, await exported(format, result));
  };
  return (
    <section class="take-away" aria-labelledby="take-away-title">
      <h2 id="take-away-title">Save or share</h2>
      <p class="buttons">
        {EXPORT_FORMATS.map((format) => (
          <button key={format} type="button" class="button" onClick={() => void save(format)}>
            {FORMATS[format].label}
          </button>
        ))}
      </p>
      <h3>The same on a command line</h3>
      <div class="command">
        <code>{command}</code>
        <CopyButton text={command} label="Copy" />
      </div>
    </section>
  );
}
