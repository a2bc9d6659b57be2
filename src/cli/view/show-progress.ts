import type { Progress } from '../../progress/progress.ts';
import { painter } from '../../report/table/paint.ts';
import { type ColourFlag, colourFor } from '../process/colour.ts';
import { canRepaint, type Io } from '../process/io.ts';
import { type Live, NOT_LIVE, showLive } from './live.ts';
import { summaryFrame } from './summary-frame.ts';

/** Shows on stderr how far a run is, if that is a terminal. */
export async function showProgress(progress: Progress, flag: ColourFlag, { stderr, env }: Io): Promise<Live> {
  if (!canRepaint(stderr, env)) return NOT_LIVE;
  const paint = painter(colourFor(flag, stderr, env));
  return showLive(stderr, (room) =>
    summaryFrame(progress, performance.now() - progress.startedAt, room, paint),
  );
}
