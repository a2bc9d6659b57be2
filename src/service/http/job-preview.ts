import { plain } from '../../document/words/names.ts';
import type { Renderer } from '../../traversal/threads/renderer.ts';
import { isEnded, type Job } from '../jobs/job.ts';
import type { PagePreview } from '../page-files.ts';

/** Sums jobs up for the programs that show a link with a title and a line of text, such as chats and ticket systems. */
export class JobPreviews {
  readonly #renderer: Renderer;
  /** The verdicts on jobs that have ended, by identifier. */
  readonly #verdicts = new Map<string, string>();

  constructor(renderer: Renderer) {
    this.#renderer = renderer;
  }

  /** The title and the verdict, if there is a result. `party`: the client whose place in the queue of renderings it takes. */
  async previewOf(job: Job, party: string): Promise<PagePreview> {
    const description = this.#verdicts.get(job.id) ?? (await this.#verdictOn(job, party));
    return { ...titleOf(job), ...(description !== undefined && { description }) };
  }

  async #verdictOn({ id, state }: Job, party: string): Promise<string | undefined> {
    const result = isEnded(state) && 'result' in state ? state.result : undefined;
    if (result === undefined) return undefined;
    const rendering = await this.#renderer.render({ form: 'text', result }, party);
    if (rendering.kind !== 'rendered') return undefined;
    const verdict = verdictIn(Buffer.from(rendering.octets).toString());
    const [oldest] = this.#verdicts.keys();
    if (this.#verdicts.size >= MOST_KEPT && oldest !== undefined) this.#verdicts.delete(oldest);
    this.#verdicts.set(id, verdict);
    return verdict;
  }
}

/** The title of a job: its question. */
export function titleOf({ request: { question } }: Job): PagePreview {
  return { title: `${plain(question.name)} ${question.type} · DNS traversal` };
}

/** The verdicts that are kept: a few hundred octets each. */
const MOST_KEPT = 1_000;

/** Longer texts are cut by whoever shows them. */
const LONGEST = 300;

/** The first line of the text has the question, two blanks and the verdict. */
function verdictIn(text: string): string {
  const [, verdict = ''] = /^.*?\S {2,}(.*)/.exec(text) ?? [];
  return verdict.slice(0, LONGEST);
}
