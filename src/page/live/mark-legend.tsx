import { MarkSign, STANDING_WORDS } from './mark.tsx';

/** What the signs of servers mean. */
export function MarkLegend() {
  const standings = ['agrees', 'differs', 'fails', 'waiting'] as const;
  return (
    <ul class="legend">
      {standings.map((standing) => (
        <li key={standing}>
          <MarkSign standing={standing} /> {STANDING_WORDS[standing]}
        </li>
      ))}
    </ul>
  );
}
