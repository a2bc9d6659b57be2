import type { PageFacts } from '../../document/api/page-facts.ts';
import { addressOf, type PageView, type WrittenQuestion } from '../parts/address.ts';
import { isLeftToBrowser } from '../parts/left-to-browser.ts';
import { NameText } from '../parts/name-text.tsx';
import { USUAL_CHOICES } from '../parts/request-choices.ts';
import { readWritten } from './read-written.ts';
import { StartProblem } from './start-problem.tsx';
import { useStart } from './use-start.ts';

type DemoNames = NonNullable<PageFacts['demo']>;

interface DemoNamesProps {
  readonly names: DemoNames;
  readonly go: (view: PageView) => void;
}

/** The names that the simulated internet has to show, each of which can be traversed with one click. */
export function DemoNames({ names, go }: DemoNamesProps) {
  const { state, start } = useStart(go);
  const follow = (question: WrittenQuestion) => (event: MouseEvent) => {
    const asked = readWritten(question);
    if (asked.kind === 'wrong' || isLeftToBrowser(event)) return;
    event.preventDefault();
    if (state.kind !== 'sending') start(asked, question.choices);
  };
  return (
    <section class="demo" aria-labelledby="demo-title">
      <h2 id="demo-title">This is the demo: a simulated internet</h2>
      <p>Names of the real one do not exist here. These do, and each shows something:</p>
      <StartProblem state={state} />
      <ul class="demo-names">
        {names.map((one) => {
          const question = questionOf(one);
          return (
            <li key={`${one.name} ${one.type} ${one.line}`}>
              <a href={addressOf({ kind: 'start', question })} onClick={follow(question)}>
                <NameText name={one.name} /> {one.type}
              </a>
              <span>{one.line}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** The choice that each option of the command line stands for. */
const CHOSEN = { '--check': { check: 'on' }, '--dnssec': { dnssec: 'on' } } as const;

function questionOf({ name, type, option }: DemoNames[number]): WrittenQuestion {
  return { name, type, choices: { ...USUAL_CHOICES, ...(option !== undefined && CHOSEN[option]) } };
}
