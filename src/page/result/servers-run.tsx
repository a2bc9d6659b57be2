import type { ServerList } from '../../document/servers.ts';
import { softwareLine } from '../../reading/software-line.ts';
import { printable } from '../../reading/words/printable.ts';
import { serverRows } from '../../report/text/server-rows.ts';
import { RowsTable } from './rows-table.tsx';

/** The software that the servers run, as soon as it is known. */
export function ServersRun({ servers }: { readonly servers: ServerList | undefined }) {
  return (
    <section class="software" aria-labelledby="software-title" aria-busy={servers === undefined}>
      <h2 id="software-title">What the servers run</h2>
      {servers === undefined ? (
        <p class="section-note">The servers are being asked …</p>
      ) : (
        <details>
          <summary>{printable(softwareLine(servers.servers)) || 'No server was met.'}</summary>
          <div class="scrolled">
            <RowsTable
              rows={serverRows(servers.servers, 'full', Number.POSITIVE_INFINITY)}
              caption="Servers"
            />
          </div>
        </details>
      )}
    </section>
  );
}
