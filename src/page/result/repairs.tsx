import { useMemo } from 'preact/hooks';
import { count } from '../../document/words/quantities.ts';
import { printable } from '../../document/words/shortened.ts';
import { TO_DO } from '../../report/views/faults.ts';
import { CopyButton, Disclosure, FirstFew } from '../elements.tsx';
import { type FindingView, toDoViews } from '../model/evidence-views.ts';
import type { Shown } from '../model/shown.ts';
import { Explained } from '../terms.tsx';
import type { Disclosed } from './drawer.tsx';

interface RepairsProps {
  readonly shown: Shown;
  readonly disclose: (what: Disclosed) => void;
}

/** What to do, the worst first: for each repair what is wrong, and who can do what about it. It opens to its evidence. */
export function Repairs({ shown: { result, wording }, disclose }: RepairsProps) {
  const repairs = useMemo(() => toDoViews(result, wording), [result, wording]);
  return (
    <section class="card repairs" aria-labelledby="repairs-title">
      <h2 id="repairs-title">{TO_DO[result.recorded === undefined ? 'seen' : 'imagined']}</h2>
      {repairs.length === 0 && <p class="repairs-none">Nothing is wrong with what was examined.</p>}
      <FirstFew
        items={repairs}
        most={SHOWN}
        noun={['thing', 'things']}
        around={(shown) => <ol class="repair-list">{shown}</ol>}
        each={(repair) => (
          <li key={repair.findings[0].id}>
            <Disclosure
              class={`repair severity-${repair.severity}`}
              isOpen={false}
              summary={<RepairLine {...repair} />}
            >
              {() => <Repair repair={repair} disclose={disclose} />}
            </Disclosure>
          </li>
        )}
      />
    </section>
  );
}

/** More are told on demand: the picture below has to stay in sight. */
const SHOWN = 4;

function RepairLine({ severity, mark, line, action, who }: FindingView) {
  return (
    <span class="repair-line">
      <span class="severity" title={severity}>
        <span aria-hidden="true">{mark}</span>
        <span class="unseen">{severity}: </span>
      </span>
      <span>
        {printable(line)}
        <span class="repair-do">{printable(action ?? who)}</span>
      </span>
    </span>
  );
}

interface RepairProps {
  readonly repair: FindingView;
  readonly disclose: (what: Disclosed) => void;
}

function Repair({ repair, disclose }: RepairProps) {
  const { code, problem, who, letter, replies, exchanges, hence } = repair;
  return (
    <div class="repair-more">
      {problem.map((sentence) => (
        <p key={sentence}>{printable(sentence)}</p>
      ))}
      {replies.length > 0 && (
        <table class="replies">
          <caption class="unseen">Replies that differ</caption>
          <tbody>
            {replies.map(({ said, servers }) => (
              <tr key={said}>
                <th scope="row">{printable(said)}</th>
                <td>{printable(servers)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p class="buttons">
        <span class="code">
          <Explained text={printable(code)} />
        </span>
        {exchanges.length > 0 && (
          <button
            type="button"
            class="link-button"
            onClick={() => disclose({ kind: 'exchanges', title: code, ids: exchanges })}
          >
            Evidence: {count(exchanges.length, 'exchange')}
          </button>
        )}
        {letter !== '' && (
          <CopyButton text={`${letter}\n${location.href}`} label={printable(`Copy a message to ${who}`)} />
        )}
      </p>
      {hence.length > 0 && (
        <ul class="hence">
          {hence.map(({ findings: [{ id }], ...one }) => (
            <li key={id}>
              <span class="code">
                hence <Explained text={printable(one.code)} />
              </span>{' '}
              {printable(one.problem.join(' '))}
              {one.action !== undefined && <span class="repair-action">{printable(one.action)}</span>}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
