import { useEffect, useRef } from 'preact/hooks';
import type { ExchangeRow } from '../../document/exchanges.ts';
import type { TraversalResult } from '../../document/result.ts';
import { firstOfEach, listed } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';
import { printable } from '../../document/words/shortened.ts';
import type { BoxServer } from '../../report/diagram.ts';
import { type ExchangeView, evidenceIn, exchangeView } from '../model/evidence-views.ts';
import type { WhatIfState } from './use-what-if.ts';
import { OffSwitch } from './what-if-bar.tsx';

/** A drawer with records; the browser keeps the focus in it, and gives it back afterwards. */
export function Drawer({ disclosed, close, result, whatIf }: DrawerProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (disclosed !== undefined && dialog.current?.open === false) dialog.current.showModal();
  }, [disclosed]);
  const closeOutside = (event: MouseEvent) => {
    if (event.target === dialog.current) dialog.current?.close();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes every dialog
    <dialog ref={dialog} class="drawer" aria-labelledby="drawer-title" onClose={close} onClick={closeOutside}>
      {disclosed !== undefined && (
        <div class="drawer-inside">
          <header class="drawer-head">
            <h2 id="drawer-title">{titleOf(disclosed)}</h2>
            <button type="button" class="button" onClick={() => dialog.current?.close()}>
              Close
            </button>
          </header>
          {result.whatIf !== undefined && (
            <p class="section-note">What is imagined is not seen here: replies are as they were recorded.</p>
          )}
          {disclosed.kind === 'exchanges' ? (
            <Exchanges rows={evidenceIn(result, disclosed.ids)} named="server" />
          ) : (
            <Servers servers={disclosed.servers} exchanges={result.exchanges} whatIf={whatIf} />
          )}
        </div>
      )}
    </dialog>
  );
}

/** The contents of the drawer: exchanges, or servers with theirs. */
export type Disclosed =
  | { readonly kind: 'exchanges'; readonly title: string; readonly ids: readonly string[] }
  | { readonly kind: 'servers'; readonly servers: readonly BoxServer[] };

interface DrawerProps {
  readonly result: TraversalResult;
  readonly disclosed: Disclosed | undefined;
  readonly close: () => void;
  readonly whatIf: WhatIfState;
}

function titleOf(disclosed: Disclosed): string {
  switch (disclosed.kind) {
    case 'exchanges':
      return disclosed.title;
    case 'servers':
      return `Servers of ${printable(listed([...new Set(disclosed.servers.map(({ zone }) => plain(zone)))]))}`;
  }
}

interface ServersProps {
  readonly servers: readonly BoxServer[];
  readonly exchanges: readonly ExchangeRow[];
  readonly whatIf: WhatIfState;
}

function Servers({ servers, exchanges, whatIf }: ServersProps) {
  const names = firstOfEach(servers, ({ name }) => name).map(({ name }) => name);
  return (
    <>
      <p class="section-note">
        Switch a server, or one of its addresses, off to see what users would get without it.
      </p>
      {names.map((name) => (
        <section key={name} class="drawer-server">
          <OffSwitch one={{ kind: 'server', name }} whatIf={whatIf} />
          {firstOfEach(
            servers.filter((one) => one.name === name),
            ({ address = '' }) => address,
          ).map((one) => (
            <div key={one.address} class="drawer-address">
              {one.address !== undefined && (
                <OffSwitch one={{ kind: 'address', address: one.address }} whatIf={whatIf} />
              )}
              <Exchanges rows={exchangesWith(one, exchanges)} named="question" />
            </div>
          ))}
        </section>
      ))}
    </>
  );
}

interface ExchangesProps {
  readonly rows: readonly ExchangeRow[];
  /** The part of an exchange that is its heading. */
  readonly named: 'server' | 'question';
}

/** Exchanges, each with its records; open if it is the only one. */
function Exchanges({ rows, named }: ExchangesProps) {
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

/** The exchanges with a server of a box, in the order in which they were made. */
function exchangesWith({ address }: BoxServer, exchanges: readonly ExchangeRow[]): readonly ExchangeRow[] {
  return exchanges.filter(({ server }) => server.address === address);
}
