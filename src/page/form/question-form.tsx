import type { InputHTMLAttributes } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { USUAL_TYPES } from '../../dns/codes.ts';
import { addressOf, type PageView, type WrittenQuestion } from '../model/page-url.ts';
import { type ReadQuestion, readWritten } from '../model/question-input.ts';
import { serviceFacts } from '../service-api.ts';
import { Choices } from './request-options.tsx';
import { StartProblem, useStart } from './start-job.tsx';

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

interface QuestionFormProps {
  readonly question: WrittenQuestion | undefined;
  readonly go: (view: PageView) => void;
}

const NOTHING_WRITTEN: WrittenQuestion = { name: '', type: 'A', choices: {} };

interface FieldProps {
  readonly id: string;
  readonly written: WrittenQuestion;
  /** Why the text cannot be asked for; undefined if it can, or nobody has tried. */
  readonly why: string | undefined;
  readonly write: (changed: Partial<WrittenQuestion>) => void;
}

/** The field for the name, with what will be asked for if that is something else. */
function NameField({ id, written, why, write }: FieldProps) {
  const asked = readWritten(written);
  return (
    <div class="field field-name">
      <label for={id}>Name</label>
      <TextInput
        id={id}
        why={why}
        name="name"
        inputMode="url"
        autoCapitalize="none"
        autoCorrect="off"
        placeholder={serviceFacts().demo?.[0]?.name ?? 'www.example.com'}
        dir="auto"
        value={written.name}
        onInput={({ currentTarget }) => write({ name: currentTarget.value })}
      />
      <p id={`${id}-note`} class={why === undefined ? 'field-note' : 'field-note bad'} aria-live="polite">
        {why ?? (asked.kind === 'question' ? asked.hint : undefined)}
      </p>
    </div>
  );
}

/** The field for the type: the usual ones are offered, any other can be written. */
function TypeField({ id, written, why, write }: FieldProps) {
  return (
    <div class="field field-type">
      <label for={id}>Type</label>
      <TextInput
        id={id}
        why={why}
        name="type"
        list={`${id}-usual`}
        autoCapitalize="characters"
        value={written.type}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onInput={({ currentTarget }) => write({ type: currentTarget.value })}
      />
      <datalist id={`${id}-usual`}>
        {USUAL_TYPES.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <p id={`${id}-note`} class="field-note bad" aria-live="polite">
        {why}
      </p>
    </div>
  );
}

function TextInput({
  id,
  why,
  ...rest
}: Pick<FieldProps, 'why'> & { readonly id: string } & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <input
      id={id}
      type="text"
      autoComplete="off"
      spellcheck={false}
      aria-invalid={why !== undefined}
      aria-describedby={`${id}-note`}
      {...rest}
    />
  );
}
