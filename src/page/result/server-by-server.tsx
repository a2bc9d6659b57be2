import { listed } from '../../reading/words/listed.ts';
import { printable } from '../../reading/words/printable.ts';
import { Disclosure } from './disclosure.tsx';
import { FirstFew } from './first-few.tsx';
import type { ShownResult } from './outcomes.tsx';
import { type Acting, ZoneTable } from './zone-table.tsx';
import { delegationViews, type LookupOfName, lookupsOfNames } from './zone-views.ts';

/** The zone cuts from the root down as tables, with what each server did, and a switch for each. */
export function ServerByServer({ result, judge, wording, ...acting }: ShownResult & Acting) {
  const chains = delegationViews(result, judge, wording);
  const lookups = lookupsOfNames(result, wording);
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
          <h3>Name servers looked up (no glue)</h3>
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
      {() => zones.map((zone) => <ZoneTable key={zone.key} zone={zone} {...acting} />)}
    </Disclosure>
  );
}
