import { gauge, type Metric } from '../../metrics-text.ts';
import type { StoreConnection } from './connection/connect.ts';
import type { FleetPace } from './pacing/fleet-pace.ts';

/** What an instance tells of its store, beside the metrics that every service has. */
export function storeMetrics(
  connection: Pick<StoreConnection, 'state' | 'traffic'>,
  pace: Pick<FleetPace, 'instances'>,
): readonly Metric[] {
  return [
    gauge('traversal_store_up', 'Whether the store can be written to: 1 or 0.', () => [
      { value: connection.state.kind === 'ok' ? 1 : 0 },
    ]),
    gauge('traversal_store_instances', 'Instances that share the store; 0 while it is away.', () => [
      { value: pace.instances },
    ]),
    {
      name: 'traversal_store_commands_total',
      help: 'Commands for the store.',
      type: 'counter',
      samples: () => [{ value: connection.traffic.commands }],
    },
    {
      name: 'traversal_store_bytes_total',
      help: 'Octets exchanged with the store, by direction.',
      type: 'counter',
      samples: () => [
        { labels: { direction: 'sent' }, value: connection.traffic.octetsSent },
        { labels: { direction: 'received' }, value: connection.traffic.octetsReceived },
      ],
    },
  ];
}
