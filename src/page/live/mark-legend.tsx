import { MarkSign, STANDING_WORDS } from './mark.tsx';

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
