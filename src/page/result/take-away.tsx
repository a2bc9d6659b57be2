import type { TraversalResult } from '../../document/result.ts';
import { FORMATS } from '../../report/formats.ts';
import { CopyButton, saveFile } from '../elements.tsx';
import { commandLine, EXPORT_FORMATS, type ExportFormat, exported, fileNameFor } from '../model/exports.ts';
import { pictureAddress, serviceFacts } from '../service-api.ts';

interface TakeAwayProps {
  readonly id: string;
  readonly result: TraversalResult;
}

/** A link, files with what is shown, and the command that gives the same. */
export function TakeAway({ id, result }: TakeAwayProps) {
  const command = commandLine(result, { url: location.origin, usual: serviceFacts().usual });
  const save = async (format: ExportFormat) => {
    const { ending, mediaType } = FORMATS[format];
    saveFile(`${fileNameFor(result)}.${ending}`, mediaType, await exported(format, result));
  };
  return (
    <section class="card take-away" aria-labelledby="take-away-title">
      <h2 id="take-away-title">Save or share</h2>
      <p class="buttons">
        <CopyButton text={location.href} label="Link" />
        {EXPORT_FORMATS.map((format) => (
          <button key={format} type="button" class="button" onClick={() => void save(format)}>
            {FORMATS[format].label}
          </button>
        ))}
        {result.whatIf === undefined && serviceFacts().draws && (
          <a class="button" href={pictureAddress(id)} download={`${fileNameFor(result)}.svg`}>
            Drawing
          </a>
        )}
      </p>
      <div class="command">
        <code>{command}</code>
        <CopyButton text={command} label="Copy" />
      </div>
    </section>
  );
}
