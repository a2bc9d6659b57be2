import { useEffect, useRef } from 'preact/hooks';
import type { ExchangeRow } from '../../document/exchanges.ts';
import type { TraversalResult } from '../../document/result.ts';
import { firstOfEach } from '../../reading/grouped.ts';
import { listed } from '../../reading/words/listed.ts';
import { plain } from '../../reading/words/names.ts';
import { printable } from '../../reading/words/printable.ts';
import type { BoxServer } from '../../report/graph/box-servers.ts';
import { OffSwitch } from '../what-if/off-switch.tsx';
import type { WhatIfState } from '../what-if/use-what-if.ts';
import { Exchanges } from './exchanges.tsx';
import { exchangesWith } from './servers-exchanges.ts';

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
            <Exchanges
              rows={result.exchanges.filter(({ id }) => disclosed.ids.includes(id))}
              named="server"
            />
          ) : (
            <Servers servers={disclosed.servers} exchanges={result.exchanges} whatIf={whatIf} />
          )}
        </div>
      )}
    </dialog>
  );
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
