import { useMemo } from 'preact/hooks';
import { questionKey } from '../../dns/message.ts';
import { type Name, ROOT } from '../../dns/name.ts';
import { listed } from '../../document/words/lists.ts';
import { asked, plain, withAddress } from '../../document/words/names.ts';
import { printable } from '../../document/words/shortened.ts';
import { nearWords } from '../../report/views/sticky.ts';
import { Disclosure, FirstFew } from '../elements.tsx';
import {
  type Lane,
  type PictureRow,
  type PictureServer,
  type PictureZone,
  pictureOf,
} from '../model/picture.ts';
import type { Shown } from '../model/shown.ts';
import { Marks } from '../picture/marks.tsx';
import { MarkLegend, SIGNS } from '../picture/server-mark.tsx';
import { ZoneItem, ZoneList } from '../picture/zone-list.tsx';

interface PictureProps {
  readonly shown: Shown;
  readonly choose: (server: PictureServer) => void;
}

/** Zones from the root down, with a lane for each reply that their servers give. */
export function Picture({ shown, choose }: PictureProps) {
  const { ways } = useMemo(() => pictureOf(shown), [shown]);
  const looking = { shown, choose };
  // What a run of zones in order shows needs no words.
  const zones = ways.flatMap(({ rows }) =>
    rows.flatMap((row) => (row.kind === 'zone' ? withBranches(row.zone) : [])),
  );
  const signs = new Set(zones.flatMap(({ lanes }) => lanes.map(({ effect }) => SIGNS[effect])));
  return (
    <section class="card picture" aria-labelledby="picture-title">
      <h2 id="picture-title">From the root to the answer</h2>
      {ways.map(({ question, passing, rows }, at) => (
        <div key={questionKey(question)}>
          {at > 0 && (
            <h3 class="picture-part">
              then {printable(asked(question))} <small>{passing}</small>
            </h3>
          )}
          <FirstFew
            items={rows}
            most={MOST_ROWS}
            noun={['zone', 'zones']}
            around={(some) => <ZoneList shape="chain">{some}</ZoneList>}
            each={(row) => <Row key={zonesIn(row)[0]?.key} row={row} {...looking} />}
          />
        </div>
      ))}
      {signs.size > 0 && <MarkLegend shown={[...signs]} />}
    </section>
  );
}

/** The most zones of a way, and names that were looked up, that are shown at first. */
const [MOST_ROWS, MOST_NAMED] = [20, 4];

function withBranches(zone: PictureZone): readonly PictureZone[] {
  return [zone, ...zone.branches.lookups.flatMap(({ zones }) => zones)];
}

function zonesIn(row: PictureRow): readonly [PictureZone, ...PictureZone[]] {
  return row.kind === 'zone' ? [row.zone] : row.zones;
}

type Looking = PictureProps;

/** A zone, or a run of zones in order in one line, which opens. */
function Row({ row, ...looking }: Looking & { readonly row: PictureRow }) {
  if (row.kind === 'zone') return <Zone zone={row.zone} {...looking} />;
  const [first, ...others] = row.zones;
  if (others.length === 0) return <Zone zone={first} {...looking} />;
  const last = others.at(-1) ?? first;
  const names = row.zones.map(({ zone }) => (zone === ROOT ? 'the root' : plain(zone)));
  const summary = (
    <>
      <strong>{printable(listed(names, MOST_NAMED))}</strong>{' '}
      <span class="muted">all servers agree; {printable(last.lanes[0].reply)}</span>
    </>
  );
  return (
    <li class="zone run">
      <Disclosure class="run-zones" isOpen={false} summary={summary}>
        {() => (
          <ZoneList shape="chain">
            {row.zones.map((zone) => (
              <Zone key={zone.key} zone={zone} {...looking} />
            ))}
          </ZoneList>
        )}
      </Disclosure>
    </li>
  );
}

function Zone({ zone, ...looking }: Looking & { readonly zone: PictureZone }) {
  const { remark, size, lanes, branches } = zone;
  return (
    <ZoneItem zone={zone.zone} remark={remark === '' ? size : `${size}; ${remark}`}>
      <ul class="lanes">
        {lanes.map((lane) => (
          <LaneItem key={`${lane.effect} ${lane.reply}`} lane={lane} zone={zone.zone} {...looking} />
        ))}
      </ul>
      {branches.lookedUp.length > 0 && (
        <p class="branch note">
          <span aria-hidden="true">↗ </span>looked up in zones of their own, without trouble:{' '}
          {printable(listed(branches.lookedUp, MOST_NAMED))}
        </p>
      )}
      {branches.lookups.map(({ name, found, zones }) => (
        <div key={name} class="branch">
          <h4>
            <span aria-hidden="true">↗ </span>the address of {printable(plain(name))}: {printable(found)}
          </h4>
          <ZoneList shape="chain">
            {zones.map((one) => (
              <Zone key={one.key} zone={one} {...looking} />
            ))}
          </ZoneList>
        </div>
      ))}
    </ZoneItem>
  );
}

interface LaneProps extends Looking {
  readonly lane: Lane;
  readonly zone: Name;
}

function LaneItem({ lane, zone, shown, choose }: LaneProps) {
  const { effect, reply, servers, who, leaves, took, share } = lane;
  const marks = servers.map((server) => ({
    ...server,
    key: keyOf(server),
    title: titleOf(server),
    status: SIGNS[effect],
  }));
  return (
    <li class={`lane effect-${effect}`}>
      <span class="lane-share" title="How often a resolver picks one of these servers">
        {share}
      </span>
      <Marks
        label={printable(`Servers of ${plain(zone)}: ${reply}`)}
        marks={marks}
        choose={choose}
        tell={(server) => (
          <>
            <p>{printable(reply)}</p>
            {nearWords(shown.result, [withoutGap(server)]).map((words) => (
              <p key={words}>{printable(words)}</p>
            ))}
            <p class="muted">Choose it for its replies, or to switch it off.</p>
          </>
        )}
      />
      <span class="lane-words">
        <b>{printable(reply)}</b>{' '}
        <span class="muted">
          {printable(who)}
          {leaves && (
            <span title="An address had to be looked up in another zone">
              {' '}
              ↗<span class="unseen"> looked up</span>
            </span>
          )}
          {took !== '' && `, ${took}`}
        </span>
      </span>
    </li>
  );
}

function withoutGap({ name, address }: PictureServer) {
  return { name, ...(address !== undefined && { address }) };
}

function keyOf({ name, address = '' }: PictureServer): string {
  return `${name} ${address}`;
}

function titleOf({ name, address }: PictureServer): string {
  return printable(address === undefined ? plain(name) : withAddress({ name, address }));
}
