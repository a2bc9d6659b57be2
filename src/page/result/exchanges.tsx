import type { ExchangeRow } from '../../document/exchanges.ts';
import { printable } from '../../reading/words/printable.ts';
import { type ExchangeView, exchangeView } from './exchange-view.ts';

interface ExchangesProps {
  readonly rows: readonly ExchangeRow[];
  /** The part of an exchange that is its heading. */
  readonly named: 'server' | 'question';
}

/** Exchanges, each with its records; open if it is the only one. */
export function Exchanges({ rows, named }: ExchangesProps) {
  const [only, ...others] = rows;
  return (
    <>
      {rows.map((row) => (
        <Exchange
          key={row.id}
          view={exchangeView(row)}
          named={named}
          isOpen={row === only && others.length === 0}
        />
      ))}
    </>
  );
}

type ExchangeProps = Pick<ExchangesProps, 'named'> & {
  readonly view: ExchangeView;
  readonly isOpen: boolean;
};

function Exchange({ view, named, isOpen }: ExchangeProps) {
  const { server, question, reply, facts } = view;
  return (
    <details class="exchange" open={isOpen}>
      <summary>
        <strong>{printable(named === 'server' ? server : question)}</strong>
        {named === 'server' && <span>{printable(question)}</span>}
        <span>{printable(reply)}</span>
      </summary>
      <dl class="exchange-facts">
        {facts.map(({ term, words }) => (
          <div key={term} class="fact">
            <dt>{term}</dt>
            <dd>{printable(words)}</dd>
          </div>
        ))}
      </dl>
      {view.sections.map(({ title, records }) => (
        <table key={title} class="records">
          <caption>{title}</caption>
          <thead class="unseen">
            <tr>
              <th scope="col">Name</th>
              <th scope="col">TTL</th>
              <th scope="col">Type</th>
              <th scope="col">Data</th>
            </tr>
          </thead>
          <tbody>
            {records.map(({ name, ttl, type, data }) => (
              <tr key={`${name} ${type} ${data}`}>
                <td>{printable(name)}</td>
                <td class="number">{ttl}</td>
                <td>{type}</td>
                <td class="data">{printable(data)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
      {view.sections.length === 0 && <p class="section-note">No records.</p>}
    </details>
  );
}
