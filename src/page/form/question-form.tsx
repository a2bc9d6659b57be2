import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { addressOf, type PageView, type WrittenQuestion } from '../parts/address.ts';
import { USUAL_CHOICES } from '../parts/request-choices.ts';
import { Choices } from './choices.tsx';
import { NameField, TypeField } from './name-field.tsx';
import { type ReadQuestion, readWritten } from './read-written.ts';
import { StartProblem } from './start-problem.tsx';
import { useStart } from './use-start.ts';

interface QuestionFormProps {
  readonly question: WrittenQuestion | undefined;
  readonly go: (view: PageView) => void;
}

const NOTHING_WRITTEN: WrittenQuestion = { name: '', type: 'A', choices: USUAL_CHOICES };

/** Takes a question, has the service traverse it, and goes to the job. */
export function QuestionForm({ question, go }: QuestionFormProps) {
  const [written, setWritten] = useState(question ?? NOTHING_WRITTEN);
  const [wrong, setWrong] = useState<Extract<ReadQuestion, { kind: 'wrong' }>>();
  const { state, start } = useStart(go);
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  const address = addressOf({ kind: 'start', question });
  useEffect(() => setWritten(question ?? NOTHING_WRITTEN), [address]);

  const write = (changed: Partial<WrittenQuestion>) => {
    setWritten({ ...written, ...changed });
    setWrong(undefined);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    const asked = readWritten(written);
    setWrong(asked.kind === 'wrong' ? asked : undefined);
    if (asked.kind === 'question') start(asked, written.choices);
    else form.current?.querySelector<HTMLInputElement>(`[name="${asked.field}"]`)?.focus();
  };
  const whyWrong = (field: 'name' | 'type') => (wrong?.field === field ? wrong.why : undefined);
  return (
    <form class="question" action="/" ref={form} onSubmit={submit} noValidate>
      <search class="question-row">
        <NameField id={`${id}-name`} written={written} why={whyWrong('name')} write={write} />
        <TypeField id={`${id}-type`} written={written} why={whyWrong('type')} write={write} />
        <button class="button first" type="submit" disabled={state.kind === 'sending'}>
          {state.kind === 'sending' ? 'Starting…' : 'Traverse'}
        </button>
      </search>
      <Choices choices={written.choices} choose={(choices) => write({ choices })} />
      <StartProblem state={state} />
    </form>
  );
}
