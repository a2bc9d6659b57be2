import { useEffect } from 'preact/hooks';
import { ShareBar } from '../parts/share-bar.tsx';
import { CancelButton } from './cancel-button.tsx';
import { Counters } from './counters.tsx';
import type { JobStory } from './job-story.ts';
import { liveZones } from './live-zones.ts';
import { MarkLegend } from './mark-legend.tsx';
import { loadResultPage } from './result-place.tsx';
import { ZoneList } from './zone-list.tsx';

/** A job that waits or runs: how far it is, how paths end so far, and the servers it has come to. */
export function LiveView({ id, story }: { readonly id: string; readonly story: JobStory }) {
  const { progress } = story;
  useEffect(() => {
    // It will be needed; if it cannot be had now, that is said when it is.
    loadResultPage().catch(() => undefined);
  }, []);
  const { way, elsewhere } = liveZones(progress);
  return (
    <>
      <section class="live-head" aria-label="Progress">
        <Counters story={story} />
        <CancelButton id={id} />
      </section>
      {progress.summary.length > 0 && (
        <section aria-labelledby="so-far">
          <h2 id="so-far">Paths end so far in</h2>
          <ShareBar summary={progress.summary} />
        </section>
      )}
      {way.length > 0 && (
        <section aria-labelledby="way">
          <h2 id="way">The way down</h2>
          <MarkLegend />
          <ZoneList zones={way} shape="chain" />
        </section>
      )}
      {elsewhere.length > 0 && (
        <section aria-labelledby="elsewhere">
          <div>
            <h2 id="elsewhere">Also asked</h2>
            <p class="muted">
              Addresses of name servers, targets of aliases, and what checks and proofs need.
            </p>
          </div>
          <ZoneList zones={elsewhere} shape="tree" />
        </section>
      )}
    </>
  );
}
