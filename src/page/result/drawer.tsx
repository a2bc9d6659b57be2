import { useEffect, useRef } from 'preact/hooks';
import type { ExchangeRow } from '../../document/exchanges.ts';
import type { TraversalResult } from '../../document/result.ts';
import { plain } from '../../document/words/names.ts';
import { printable } from '../../document/words/shortened.ts';
import { contrastsOf, type ExchangeView, evidenceIn, exchangeView } from '../model/evidence-views.ts';
import type { PictureServer } from '../model/picture.ts';
import type { WhatIfState } from './use-what-if.ts';
import { OffSwitch } from './what-if-bar.tsx';

/** A drawer with replies; the browser keeps the focus in it, and gives it back afterwards. */
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
            <h2 id="drawer-title">{printable(titleOf(disclosed))}</h2>
            <button type="button" class="button" onClick={() => dialog.current?.close()}>
              Close
            </button>
          </header>
          {result.whatIf !== undefined && (
            <p class="note">What is imagined is not seen here: replies are as they were recorded.</p>
          )}
          {disclosed.kind === 'exchanges' ? (
            <Exchanges rows={evidenceIn(result, disclosed.ids)} named="server" />
          ) : (
            <Server server={disclosed.server} result={result} whatIf={whatIf} />
          )}
        </div>
      )}
    </dialog>
  );
}

/** The contents of the drawer: exchanges, or a server with its own. */
export type Disclosed =
  | { readonly kind: 'exchanges'; readonly title: string; readonly ids: readonly string[] }
  | { readonly kind: 'server'; readonly server: PictureServer };

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
    case 'server':
      return `${plain(disclosed.server.name)}, a server of ${plain(disclosed.server.zone)}`;
  }
}

interface ServerProps {
  readonly server: PictureServer;
  readonly result: TraversalResult;
  readonly whatIf: WhatIfState;
}

/** A server: what sets it apart, a switch for it, and its replies in the order in which they came. */
function Server({ server, result, whatIf }: ServerProps) {
  const { name, address } = server;
  const contrasts = contrastsOf(result, server);
  const rows = result.exchanges.filter((one) => one.server.address === address);
  return (
    <>
      {contrasts.length > 0 && (
        <table class="contrasts">
          <caption>What sets it apart</caption>
          <tbody>
            {contrasts.map(({ about, own, others }) => (
              <tr key={about}>
                <th scope="row">{printable(about)}</th>
                <td>
                  <b>{printable(own)}</b> <small>here</small>
                </td>
                <td>
                  {others.map(({ said, servers }) => (
                    <p key={said}>
                      {printable(said)} <small>{printable(servers)}</small>
                    </p>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div class="switches">
        <span class="note">Switch it off to see what users would get without it:</span>
        <OffSwitch one={{ kind: 'server', name }} whatIf={whatIf} />
        {address !== undefined && <OffSwitch one={{ kind: 'address', address }} whatIf={whatIf} />}
      </div>
      <Exchanges rows={rows} named="question" />
      {rows.length === 0 && <p class="note">Nobody asked it.</p>}
    </>
  );
}

interface ExchangesProps {
  readonly rows: readonly ExchangeRow[];
  /** The part of an exchange that is its heading. */
  readonly named: 'server' | 'question';
  /** Whether one that is alone is open at first; so it is unless this says no. */
  readonly isOpen?: boolean;
}

/** Exchanges, each with its records; open if it is the only one. */
export function Exchanges({ rows, named, isOpen = true }: ExchangesProps) {
  const [only, ...others] = rows;
  return (
    <>
      {rows.map((row) => (
        <Exchange
          key={row.id}
          view={exchangeView(row)}
          named={named}
          isOpen={isOpen && row === only && others.length === 0}
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
      {view.sections.length === 0 && <p class="note">No records.</p>}
    </details>
  );
}
