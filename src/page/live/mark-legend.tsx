import { MarkSign, STATUS_WORDS } from './mark.tsx';

export function MarkLegend() {
  const statuses = ['agrees', 'differs', 'fails', 'waiting'] as const;
  return (
    <ul class="legend">
      {statuses.map((status) => (
        <li key={status}>
          <MarkSign status={status} /> {STATUS_WORDS[status]}
        </li>
      ))}
    </ul>
  );
}
