import type { TraversalResult } from '../../document/result.ts';
import { printable } from '../../document/words/shortened.ts';
import { CHAIN_TITLES, chainRows, isNote } from '../../report/text/chain-rows.ts';
import { type Cell, STYLES } from '../../report/text/table.ts';
import { chainOf, chainVerdict } from '../../report/views/chain.ts';
import { Scrolled } from '../elements.tsx';
import { Explained } from '../terms.tsx';

/** The DNSSEC chain from the root to the answer. Nothing where replies were not validated. */
export function DnssecChain({ result }: { readonly result: TraversalResult }) {
  const links = chainOf(result);
  if (links.length === 0) return null;
  const { verdict, effect } = chainVerdict(links);
  return (
    <section class="part chain">
      <h3>DNSSEC chain</h3>
      <p class="note">
        <Explained text="The DS records, keys and signatures from the root to the answer, by which validating resolvers check it." />
      </p>
      <p class={`text-${STYLES[effect]}`}>{printable(verdict)}</p>
      <Scrolled label="DNSSEC chain">
        <table class="rows">
          <caption class="unseen">DNSSEC chain</caption>
          <thead>
            <tr>
              {CHAIN_TITLES.map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {chainRows(links).map((row, at) => (
              <ChainRow key={at} row={row} />
            ))}
          </tbody>
        </table>
      </Scrolled>
    </section>
  );
}

/** The last cell of a row takes the columns that are left, as notes do. */
function ChainRow({ row }: { readonly row: readonly Cell[] }) {
  const left = CHAIN_TITLES.length - row.length + 1;
  return (
    <tr>
      {row.map(({ text, style = 'plain' }, at) => (
        <td key={at} class={`text-${style}`} colSpan={at === row.length - 1 ? left : 1}>
          {isNote(row) ? <Explained text={printable(text)} /> : printable(text)}
        </td>
      ))}
    </tr>
  );
}
