/* Prints the report of svc plan as Markdown, for a ticket or a pull request. */

import type { FailOn } from '../document/finding.ts';
import { sentence } from '../document/words/lists.ts';
import { adviceItems, code, grid, joined, prose, section, strong } from './markdown.ts';
import { alike, changeWords, troubleWords, zoneWords } from './plan-text.ts';
import type { PlannedName, PlanReport } from './views/plan-report.ts';
import { planView } from './views/plan-view.ts';

/** The report of a plan in Markdown: safe to show, whatever files and servers contain. */
export function planMarkdown(report: PlanReport, failOn?: FailOn): string {
  const { title, fates, dangers, newFindings, oldFindings, remarks } = planView(report, failOn);
  const { zones, files } = report;
  const blocks = [
    `# ${prose('Once this is published')}`,
    strong(prose(`${title}.`)),
    grid(
      ['zone', 'planned'].map(prose),
      zones.map(({ zone, ...planned }) => [code(zone), prose(zoneWords(planned))]),
    ),
    ...section(prose('Zone files'), [adviceItems(files)]),
    ...section(prose('Trouble'), [nameGrid('users get', fates.trouble, troubleLine)]),
    ...section(prose('Not known'), [nameGrid('why', fates.unknown, troubleLine)]),
    ...section(prose('Changes'), [nameGrid('change', fates.changed, changeWords)]),
    ...section(prose('Dangers of the change'), [
      grid(
        ['until', 'danger'].map(prose),
        dangers.map(({ until, message }) => [prose(until), prose(message)]),
      ),
    ]),
    ...section(prose('New findings'), [adviceItems(newFindings)]),
    ...section(prose('Trouble of today'), [adviceItems(oldFindings)]),
    ...remarks.map(({ words }) => prose(`${sentence(words)}.`)),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function troubleLine(name: PlannedName): string {
  return troubleWords(name).join('; ');
}

function nameGrid(
  head: string,
  names: readonly PlannedName[],
  wordsOf: (name: PlannedName) => string,
): string {
  return grid(
    ['names', head].map(prose),
    alike(names, wordsOf).map(({ names: same, words }) => [joined(same.map(code), ', '), prose(words)]),
  );
}
