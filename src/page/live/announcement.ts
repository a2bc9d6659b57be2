import { summaryLine } from '../../reading/summary-line.ts';
import { printable } from '../../reading/words/printable.ts';
import { count } from '../../reading/words/quantities.ts';
import type { JobStory } from './job-story.ts';

/** The stage of a job for screen readers: without its numbers, which change all the time. */
export function announcementOf({ stage, connection }: Pick<JobStory, 'stage' | 'connection'>): string {
  if (connection === 'lost') return 'Connection lost. Trying again…';
  switch (stage.kind) {
    case 'unknown':
      return '';
    case 'queued':
      return waitingWords(stage.ahead);
    case 'running':
      return 'Asking…';
    case 'ending':
      return 'All replies are in. Fetching the result…';
    case 'ended':
      if (stage.result === undefined)
        return stage.status === 'failed' ? 'The traversal failed.' : 'The traversal was cancelled.';
      return `The result is there: ${printable(summaryLine(stage.result.summary, 'terse'))}.`;
    case 'gone':
      return 'This traversal is no longer kept.';
    case 'strange':
      return 'The service answers strangely.';
  }
}

function waitingWords(ahead: number | undefined): string {
  switch (ahead) {
    case undefined:
      return 'Waiting for its turn…';
    case 0:
      return 'Waiting for its turn: it is the next…';
    default:
      return `Waiting for its turn: ${count(ahead, 'other goes', 'others go')} first…`;
  }
}
