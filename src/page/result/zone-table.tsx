import type { ComponentChildren } from 'preact';
import { printable } from '../../reading/words/printable.ts';
import { count } from '../../reading/words/quantities.ts';
import { ROOT } from '../../wire/name.ts';
import { OffSwitch } from '../what-if/off-switch.tsx';
import type { WhatIfState } from '../what-if/use-what-if.ts';
import { Disclosure } from './disclosure.tsx';
import type { Disclosed } from './drawer.tsx';
import { FirstFew } from './first-few.tsx';
import type { DeedView, ServerView, ZoneView } from './zone-views.ts';

/** The callbacks of tables. */
export interface Acting {
  readonly whatIf: WhatIfState;
  readonly disclose: (what: Disclosed) => void;
}

/** A zone cut as a table of its servers; closed where all of them passed the question on alike. */
export function ZoneTable({
  zone: { zone, remark, brief, servers },
  ...acting
}: Acting & { readonly zone: ZoneView }) {
  const hasShares = servers.some(({ picks }) => picks.some(({ percent }) => percent !== undefined));
  const name = zone === ROOT ? '. (the root)' : printable(zone);
  const summary = (
    <>
      <strong>{name}</strong> <span class="cut-remark">{printable(remark === '' ? brief : remark)}</span>
    </>
  );
  return (
    <Disclosure class="cut" isOpen={brief === ''} summary={summary}>
      {() => (
        <FirstFew
          items={servers}
          most={SERVERS}
          noun={['server', 'servers']}
          around={(rows) => <ServerTable caption={`Servers of ${name}`} hasShares={hasShares} rows={rows} />}
          each={(server) => <ServerRows key={server.name} server={server} {...acting} />}
        />
      )}
    </Disclosure>
  );
}

/** The most servers of a zone, and addresses of a server, that are shown at first. */
const [SERVERS, ADDRESSES] = [30, 30];

interface ServerTableProps {
  readonly caption: string;
  readonly hasShares: boolean;
  readonly rows: ComponentChildren;
}

function ServerTable({ caption, hasShares, rows }: ServerTableProps) {
  return (
    <table>
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Server</th>
          <th scope="col">Address</th>
          <th scope="col">What it did</th>
          <th scope="col" class="number">
            Took
          </th>
          {hasShares && (
            <th scope="col" class="number">
              Of paths
            </th>
          )}
        </tr>
      </thead>
      {rows}
    </table>
  );
}

function ServerRows({ server: { name, picks }, whatIf, disclose }: Acting & { readonly server: ServerView }) {
  const shown = picks.slice(0, ADDRESSES);
  const more = picks.length - shown.length;
  return (
    <tbody>
      {shown.map((pick, at) => (
        <tr key={pick.key}>
          {at === 0 && (
            <th scope="rowgroup" rowSpan={shown.length + Math.sign(more)}>
              <OffSwitch one={{ kind: 'server', name }} whatIf={whatIf} />
            </th>
          )}
          <td class="address">{printable(pick.address)}</td>
          <td class={`deed bearing-${pick.bearing}`}>
            <Deed deed={pick} disclose={disclose} />
          </td>
          <td class="number">{pick.took}</td>
          {pick.percent !== undefined && (
            <td class="number">
              {pick.percent} <span class="faint">{pick.fraction}</span>
            </td>
          )}
        </tr>
      ))}
      {more > 0 && (
        <tr>
          <td colSpan={4}>and {count(more, 'more address', 'more addresses')}</td>
        </tr>
      )}
    </tbody>
  );
}

function Deed({ deed, disclose }: { readonly deed: DeedView; readonly disclose: Acting['disclose'] }) {
  const { mark, words, exchange } = deed;
  const shown = (
    <>
      {mark !== '' && (
        <span class="bearing-mark" aria-hidden="true">
          {mark}
        </span>
      )}
      {printable(words)}
    </>
  );
  if (exchange === undefined) return shown;
  return (
    <button
      type="button"
      class="link-button"
      onClick={() => disclose({ kind: 'exchanges', title: 'Exchange', ids: [exchange] })}
    >
      {shown}
    </button>
  );
}
