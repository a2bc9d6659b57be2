import { listed } from '../../reading/words/listed.ts';
import { printable } from '../../reading/words/printable.ts';
import { ROOT } from '../../wire/name.ts';
import type { Disclosed } from './drawer.tsx';
import { OffSwitch } from './off-switch.tsx';
import type { ShownResult } from './outcomes.tsx';
import type { WhatIfState } from './use-what-if.ts';
import { type DeedView, lookupsOfNames, type ServerView, wayViews, type ZoneView } from './zone-views.ts';

/** What the tables need besides what they tell. */
interface Acting {
  readonly whatIf: WhatIfState;
  readonly disclose: (what: Disclosed) => void;
}

/** The zone cuts from the root down as tables, with what each server did, and a switch for each. */
export function ServerByServer({ result, judge, wording, ...acting }: ShownResult & Acting) {
  const ways = wayViews(result, judge, wording);
  const lookups = lookupsOfNames(result, wording);
  return (
    <section class="ways" aria-labelledby="ways-title">
      <h2 id="ways-title">Server by server</h2>
      <p class="section-note">
        From the root down. Switch a server off to see what users would get without it; choose what it did to
        see its records.
      </p>
      {ways.map(({ question, zones }, at) => (
        <div key={`${question.name} ${question.type}`}>
          {at > 0 && (
            <h3>
              then {printable(question.name)} {question.type}
            </h3>
          )}
          {zones.map((zone) => (
            <ZoneTable key={zone.key} zone={zone} {...acting} />
          ))}
        </div>
      ))}
      {lookups.length > 0 && (
        <>
          <h3>Name servers looked up (no glue)</h3>
          {lookups.map(({ name, addresses, hasTrouble, zones }) => (
            <details key={name} class="lookup" open={hasTrouble}>
              <summary>
                <strong>{printable(name)}</strong>{' '}
                {addresses.length === 0 ? 'no address' : printable(listed(addresses))}
              </summary>
              {zones.map((zone) => (
                <ZoneTable key={zone.key} zone={zone} {...acting} />
              ))}
            </details>
          ))}
        </>
      )}
    </section>
  );
}

function ZoneTable({
  zone: { zone, remark, brief, servers },
  ...acting
}: Acting & { readonly zone: ZoneView }) {
  return (
    <details class="cut" open={brief === ''}>
      <summary>
        <strong>{zone === ROOT ? '. (the root)' : printable(zone)}</strong>{' '}
        <span class="cut-remark">{printable(remark === '' ? brief : remark)}</span>
      </summary>
      <table>
        <caption class="unseen">Servers of {printable(zone)}</caption>
        <thead>
          <tr>
            <th scope="col">Server</th>
            <th scope="col">Address</th>
            <th scope="col">What it did</th>
            <th scope="col" class="number">
              Took
            </th>
            <th scope="col" class="number">
              Of paths
            </th>
          </tr>
        </thead>
        {servers.map((server) => (
          <ServerRows key={server.name} server={server} {...acting} />
        ))}
      </table>
    </details>
  );
}

function ServerRows({ server: { name, picks }, whatIf, disclose }: Acting & { readonly server: ServerView }) {
  return (
    <tbody>
      {picks.map((pick, at) => (
        <tr key={pick.key}>
          {at === 0 && (
            <th scope="rowgroup" rowSpan={picks.length}>
              <OffSwitch one={{ kind: 'server', name }} whatIf={whatIf} />
            </th>
          )}
          <td class="address">{printable(pick.address)}</td>
          <td class={`deed bearing-${pick.bearing}`}>
            <Deed deed={pick} disclose={disclose} />
          </td>
          <td class="number">{pick.took}</td>
          <td class="number">
            {pick.percent} <span class="faint">{pick.fraction}</span>
          </td>
        </tr>
      ))}
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
