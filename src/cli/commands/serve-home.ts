import type { Pace } from '../../exchange/pace.ts';
import type { ServiceSurroundings } from '../../service/service.ts';

/** Where a service keeps its jobs, and what comes with that. */
export interface ServeHome {
  /** What the service is to be started with. */
  readonly around: Pick<ServiceSurroundings, 'home' | 'limiter' | 'metrics'>;
  /** What it may send to name servers; absent: as if it were alone. */
  readonly allowances?: NonNullable<Pace['allowances']>;
  /** Lets go of it, once the service has ended. */
  readonly release: () => Promise<void>;
}
