/* The first page, with the form for a question, and the page for unknown addresses. */

import { useEffect } from 'preact/hooks';
import type { PageFacts } from '../../document/api/service-documents.ts';
import { Disclosure, NameText, opensElsewhere } from '../elements.tsx';
import { HistoryOfWritten } from '../history-place.tsx';
import { demoGroups } from '../model/demo-groups.ts';
import { addressOf, type PageView, type WrittenQuestion } from '../model/page-url.ts';
import { unknownAddress } from '../model/problem-texts.ts';
import { readWritten } from '../model/question-input.ts';
import { NOTHING_OFF } from '../model/switched-off.ts';
import { serviceFacts } from '../service-api.ts';
import { Explained } from '../terms.tsx';
import { EarlierResult } from './earlier-result.tsx';
import { QuestionForm } from './question-form.tsx';
import { RunAgain, StartProblem, useStart } from './start-job.tsx';

export function StartPage({ question, go }: StartPageProps) {
  const { demo } = serviceFacts();
  useEffect(() => {
    document.title = 'DNS traversal';
  }, []);
  return (
    <div class="start">
      <h1>What does the DNS really say?</h1>
      <p class="lead">
        <Explained text="A resolver picks one of a zone’s name servers and believes it. This page asks all of them, from the root down, and shows which answers your users get, how often, and which server is at fault." />
      </p>
      <QuestionForm question={question} go={go} />
      {question !== undefined && <EarlierResult question={question} />}
      {question !== undefined && <HistoryOfWritten question={question} />}
      {demo !== undefined && <DemoNames names={demo} go={go} />}
    </div>
  );
}

interface StartPageProps {
  readonly question: WrittenQuestion | undefined;
  readonly go: (view: PageView) => void;
}

type DemoNames = NonNullable<PageFacts['demo']>;

interface DemoNamesProps {
  readonly names: DemoNames;
  readonly go: (view: PageView) => void;
}

/** The names that the simulated internet has to show, each of which can be traversed with one click. */
function DemoNames({ names, go }: DemoNamesProps) {
  const { state, start } = useStart(go);
  const follow = (question: WrittenQuestion) => (event: MouseEvent) => {
    const asked = readWritten(question);
    if (asked.kind === 'wrong' || opensElsewhere(event)) return;
    event.preventDefault();
    if (state.kind !== 'sending') start(asked, question.choices);
  };
  const { groups, others } = demoGroups(names);
  const list = (some: DemoNames) => (
    <ul class="demo-names">
      {some.map((one) => {
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
  );
  return (
    <section class="card demo" aria-labelledby="demo-title">
      <h2 id="demo-title">This is the demo: a simulated internet</h2>
      <p class="note">Names of the real one do not exist here. These do, and each shows something:</p>
      <StartProblem state={state} />
      <div class="demo-groups">
        {groups.map(({ title, names }) => (
          <div key={title}>
            <h3>{title}</h3>
            {list(names)}
          </div>
        ))}
      </div>
      {others.length > 0 && (
        <Disclosure class="demo-more" isOpen={false} summary={`${others.length} more`}>
          {() => list(others)}
        </Disclosure>
      )}
    </section>
  );
}

/** The choice that each option of the command line stands for. */
const CHOSEN = { '--check': { check: 'on' } } as const;

function questionOf({ name, type, option }: DemoNames[number]): WrittenQuestion {
  return { name, type, choices: option === undefined ? {} : CHOSEN[option] };
}

interface NowhereProps {
  readonly path: string;
  /** The question in the address, if it has one. */
  readonly question: WrittenQuestion | undefined;
  readonly go: (view: PageView) => void;
}

/** An address at which there is nothing: what is wrong with it, and how to go on. */
export function NotFoundPage({ path, question, go }: NowhereProps) {
  const { why, advice, name } = unknownAddress(path);
  useEffect(() => {
    document.title = 'Not found · DNS traversal';
  }, []);
  const guessed = name === '' ? undefined : { name, type: 'A', choices: {} };
  return (
    <div class="start">
      <h1>There is no such page</h1>
      <div class="notice warn">
        <strong>
          <bdi>{why}</bdi>
        </strong>
        {advice}
        {question !== undefined && (
          <RunAgain question={question} imagined={NOTHING_OFF} go={go} label="Run it again" />
        )}
      </div>
      <QuestionForm question={question ?? guessed} go={go} />
    </div>
  );
}
