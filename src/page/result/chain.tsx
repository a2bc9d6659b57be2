import { printable } from '../../document/words/shortened.ts';
import { CHAIN_TITLES, chainRows, isNote } from '../../report/text/chain-rows.ts';
import { type Cell, STYLES } from '../../report/text/table.ts';
import { chainOf, chainVerdict } from '../../report/views/chain.ts';
import { Disclosure } from '../elements.tsx';
import { Explained } from '../terms.tsx';
import type { ShownResult } from './outcomes.tsx';

/** The DNSSEC chain from the root to the answer, open where it breaks. Nothing where replies were not validated. */
export function DnssecChain({ result }: Pick<ShownResult, 'result'>) {
  const links = chainOf(result);
  if (links.length === 0) return null;
  const { verdict, effect } = chainVerdict(links);
  return (
    <section class="chain" aria-labelledby="chain-title">
      <h2 id="chain-title">DNSSEC chain</h2>
      <p class="section-note">
        <Explained text="The DS records, keys and signatures from the root to the answer, by which validating resolvers check it." />
      </p>
      <Disclosure
        class="chain-links"
        isOpen={effect === 'fails' || effect === 'differs'}
        summary={<span class={`text-${STYLES[effect]}`}>{printable(verdict)}</span>}
      >
        {() => (
          <div class="scrolled">
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
          </div>
        )}
      </Disclosure>
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
