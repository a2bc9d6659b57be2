/* All that few readers need, in one closed section: tables of the text, and every exchange. */

import type { ComponentChildren } from 'preact';
import type { ServerList } from '../../document/servers.ts';
import { printable } from '../../document/words/shortened.ts';
import { firstTryRows } from '../../report/text/end-rows.ts';
import { factRows } from '../../report/text/fact-rows.ts';
import { serverRows } from '../../report/text/server-rows.ts';
import type { Cell, Rows } from '../../report/text/table.ts';
import { userRows } from '../../report/text/user-rows.ts';
import { softwareLine, wordingFor } from '../../report/views/wording.ts';
import { Disclosure, FirstFew, Scrolled, useLoaded } from '../elements.tsx';
import type { Shown } from '../model/shown.ts';
import { Exchanges } from './drawer.tsx';

interface DetailsProps {
  readonly shown: Shown;
  /** Undefined until the servers have said what they run. */
  readonly servers: ServerList | undefined;
}

export function Details({ shown, servers }: DetailsProps) {
  const { result } = shown;
  const parts = [
    'first tries',
    'users of each product',
    'DNSSEC',
    'figures',
    'software',
    `${result.exchanges.length} exchanges`,
  ];
  const summary = (
    <>
      <strong>Details</strong> <span class="muted">{parts.join(', ')}</span>
    </>
  );
  return (
    <Disclosure class="card details" isOpen={false} summary={summary}>
      {() => <Opened shown={shown} servers={servers} />}
    </Disclosure>
  );
}

function Opened({ shown, servers }: DetailsProps) {
  const { result } = shown;
  const full = wordingFor(result, 'full');
  return (
    <div class="details-parts">
      <Part title="First tries" note="What a first pick ends in, before a resolver tries elsewhere.">
        <RowsTable rows={firstTryRows(result, full)} caption="First tries" />
      </Part>
      <Part title="Users of each product" note="As each resolves at its defaults.">
        <RowsTable rows={userRows(result, full, Number.POSITIVE_INFINITY)} caption="Users get" />
      </Part>
      <LoadedChain shown={shown} />
      <Part title="In figures" note="">
        <dl>
          {factRows(result).map(([term, words]) => (
            <div key={words?.text} class="fact">
              <dt>{term?.text}</dt>
              <dd>{printable(words?.text ?? '')}</dd>
            </div>
          ))}
        </dl>
      </Part>
      <Part
        title="What the servers run"
        note={
          servers === undefined ? 'The servers are being asked …' : printable(softwareLine(servers.servers))
        }
      >
        {servers !== undefined && (
          <RowsTable rows={serverRows(servers.servers, 'full', Number.POSITIVE_INFINITY)} caption="Servers" />
        )}
      </Part>
      <Part title="Exchanges" note="Every question that was asked, and its reply.">
        <FirstFew
          items={[...result.exchanges, ...(result.probes ?? [])]}
          most={EXCHANGES}
          noun={['exchange', 'exchanges']}
          around={(shown) => <div class="exchanges">{shown}</div>}
          each={(row) => <Exchanges key={row.id} rows={[row]} named="server" isOpen={false} />}
        />
      </Part>
    </div>
  );
}

/** The most exchanges that are shown at first. */
const EXCHANGES = 20;

interface PartProps {
  readonly title: string;
  readonly note: string;
  readonly children: ComponentChildren;
}

function Part({ title, note, children }: PartProps) {
  return (
    <section class="part">
      <h3>{title}</h3>
      {note !== '' && <p class="note">{note}</p>}
      <Scrolled label={title}>{children}</Scrolled>
    </section>
  );
}

/** The DNSSEC chain, as soon as what shows it is loaded. */
function LoadedChain({ shown: { result } }: Pick<DetailsProps, 'shown'>) {
  const loaded = useLoaded(loadChain);
  if (loaded === undefined) return null;
  if (loaded === 'failed')
    return <p class="note">The DNSSEC chain could not be loaded: load the page again.</p>;
  return <loaded.DnssecChain result={result} />;
}

function loadChain() {
  return import('./chain.tsx');
}

/** Rows of a text as a table: the first has the titles of its columns. */
export function RowsTable({ rows, caption }: { readonly rows: Rows; readonly caption: string }) {
  const [titles = [], ...others] = rows;
  return (
    <table class="rows">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {titles.map((cell) => (
            <th key={cell.text} scope="col" class={classOf(cell)}>
              {printable(cell.text.trim())}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {others.map((row, line) => (
          <tr key={line}>
            {row.map((cell, at) => (
              <td key={at} class={classOf(cell)}>
                {printable(cell.text.trim())}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The class of a cell of a text. */
export function classOf({ style = 'plain', align }: Cell): string {
  return `text-${style}${align === 'right' ? ' number' : ''}`;
}
