import { printable } from '../../reading/words/printable.ts';
import type { Cell, Rows } from '../../report/table/table.ts';

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
        {others.map((row) => (
          <tr key={row.map(({ text }) => text).join('\n')}>
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

function classOf({ style = 'plain', align }: Cell): string {
  return `text-${style}${align === 'right' ? ' number' : ''}`;
}
