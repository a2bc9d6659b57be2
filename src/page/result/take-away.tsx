import type { TraversalResult } from '../../document/result.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { serviceFacts } from '../parts/service-facts.ts';
import { saveFile } from '../picture/save-file.ts';
import { commandLine } from './command-line.ts';
import { EXPORT_FORMS, type ExportForm, fileNameFor } from './exports.ts';

/** Files with what is shown, and the command that gives the same. */
export function TakeAway({ result }: { readonly result: TraversalResult }) {
  const command = commandLine(result, { url: location.origin, usual: serviceFacts().usual });
  const save = async ({ ending, type, make }: ExportForm) =>
    saveFile(`${fileNameFor(result)}.${ending}`, type, await make(result));
  return (
    <section class="take-away" aria-labelledby="take-away-title">
      <h2 id="take-away-title">Save or share</h2>
      <p class="buttons">
        {EXPORT_FORMS.map((form) => (
          <button key={form.ending} type="button" class="button" onClick={() => void save(form)}>
            {form.label}
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
