import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { ROOT } from '../../dns/name.ts';
import { listed } from '../../document/words/lists.ts';
import { count } from '../../document/words/quantities.ts';
import { printable } from '../../document/words/shortened.ts';
import { Disclosure, FirstFew } from '../elements.tsx';
import {
  type DeedView,
  delegationViews,
  type LookupOfName,
  lookupsOfNames,
  type ServerView,
  type ZoneView,
} from '../model/zone-views.ts';
import { Explained } from '../terms.tsx';
import type { Disclosed } from './drawer.tsx';
import type { ShownResult } from './outcomes.tsx';
import type { WhatIfState } from './use-what-if.ts';
import { OffSwitch } from './what-if-bar.tsx';

/** The zone cuts from the root down as tables, with what each server did, and a switch for each. */
export function ServerByServer({ result, effectOf, wording, ...acting }: ShownResult & Acting) {
  const { chains, lookups } = useMemo(
    () => ({
      chains: delegationViews(result, effectOf, wording),
      lookups: lookupsOfNames(result, wording),
    }),
    [result, effectOf, wording],
  );
  return (
    <section class="ways" aria-labelledby="ways-title">
      <h2 id="ways-title">Server by server</h2>
      <p class="section-note">
        From the root down. Switch a server off to see what users would get without it; choose what it did to
        see its records.
      </p>
      {chains.map(({ question, zones }, at) => (
        <div key={`${question.name} ${question.type}`}>
          {at > 0 && (
            <h3>
              then {printable(question.name)} {question.type}
            </h3>
          )}
          <FirstFew
            items={zones}
            most={ZONES}
            noun={['delegation', 'delegations']}
            around={(shown) => shown}
            each={(zone) => <ZoneTable key={zone.key} zone={zone} {...acting} />}
          />
        </div>
      ))}
      {lookups.length > 0 && (
        <>
          <h3>
            <Explained text="Name servers looked up (no glue)" />
          </h3>
          <FirstFew
            items={lookups}
            most={LOOKUPS}
            noun={['lookup', 'lookups']}
            around={(shown) => shown}
            each={(lookup) => (
              <LookupTables
                key={lookup.name}
                lookup={lookup}
                isOpen={lookup.hasTrouble && lookups.indexOf(lookup) < OPEN}
                {...acting}
              />
            )}
          />
        </>
      )}
    </section>
  );
}

/** The most delegations and lookups that are shown at first. */
const [ZONES, LOOKUPS] = [20, 12];

/** The most lookups that are open at first. */
const OPEN = 3;

interface LookupTablesProps extends Acting {
  readonly lookup: LookupOfName;
  readonly isOpen: boolean;
}

function LookupTables({ lookup, isOpen, ...acting }: LookupTablesProps) {
  const { name, addresses, zones } = lookup;
  const summary = (
    <>
      <strong>{printable(name)}</strong>{' '}
      {addresses.length === 0 ? 'no address' : printable(listed(addresses))}
    </>
  );
  return (
    <Disclosure class="lookup" isOpen={isOpen} summary={summary}>
      {() => zones().map((zone) => <ZoneTable key={zone.key} zone={zone} {...acting} />)}
    </Disclosure>
  );
}

/** The callbacks of tables. */
interface Acting {
  readonly whatIf: WhatIfState;
  readonly disclose: (what: Disclosed) => void;
}

/** A zone cut as a table of its servers; closed where all of them passed the question on alike. */
function ZoneTable({
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
          <th scope="col">Reply</th>
          <th scope="col" class="number">
            Time
          </th>
          {hasShares && (
            <th scope="col" class="number">
              Share
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
          <td class={`deed effect-${pick.effect}`}>
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
  const { mark, words, verdict, exchange } = deed;
  const shown = (
    <>
      {mark !== '' && (
        <span class="effect-mark" aria-hidden="true">
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
      {...(verdict && { title: printable(verdict) })}
      onClick={() => disclose({ kind: 'exchanges', title: 'Exchange', ids: [exchange] })}
    >
      {shown}
    </button>
  );
}
