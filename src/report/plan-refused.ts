/* Prints why a plan cannot be checked, in the formats that pipelines show beside a change. */

import { type JsonForm, jsonText } from '../base/json.ts';
import { printable } from '../document/words/shortened.ts';
import type { FormatIn } from './formats.ts';
import { junitErrors } from './junit.ts';
import { prose, strong } from './markdown.ts';
import { sarifErrors } from './sarif.ts';

/** Why a plan, or a file of it, cannot be read. */
export interface PlanError {
  readonly message: string;
  readonly file: string;
  /** Counted from 1; absent: the error is about the whole file. */
  readonly line?: number | undefined;
  /** In characters, counted from 1. */
  readonly column?: number | undefined;
}

/** The report of a plan that was refused, for an exit status of 3. Text for people is empty: they read the error message. */
export function refusedText(
  format: FormatIn<'plan'>,
  errors: readonly PlanError[],
  commandLine: string,
  form: JsonForm,
): string {
  switch (format) {
    case 'text':
      return '';
    case 'json':
      return jsonText({ exitStatus: 3, errors }, form);
    case 'md':
      return `${[
        `# ${prose('Once this is published')}`,
        strong(prose('The plan cannot be checked.')),
        errors.map(({ message }) => `- ${prose(printable(message))}`).join('\n'),
      ].join('\n\n')}\n`;
    case 'junit':
      return junitErrors('plan', errors);
    case 'sarif':
      return sarifErrors(errors, commandLine);
  }
}
