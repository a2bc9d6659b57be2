import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { pause } from '../../abort.ts';
import { openJobStream } from '../api/job-stream.ts';
import { fetchJob, fetchServers } from '../api/jobs.ts';
import { followStory } from './follow-story.ts';
import type { FollowTools } from './follow-tools.ts';
import { JobStory } from './job-story.ts';
import { Redraws } from './redraws.ts';

const TOOLS: FollowTools = {
  fetchJob,
  fetchServers,
  openStream: openJobStream,
  pause,
  now: () => performance.now(),
};

/** The story of a job, which is followed as long as it is shown. Draws it anew when it has changed. */
export function useStory(id: string): JobStory {
  const [, draw] = useState(0);
  const redraws = useRef<Redraws | undefined>(undefined);
  redraws.current ??= new Redraws(() => draw((times) => times + 1));
  const { current } = redraws;
  const kept = useRef<JobStory | undefined>(undefined);
  kept.current ??= new JobStory(() => current.ask());
  const story = kept.current;
  useLayoutEffect(() => current.drawn());
  useEffect(() => {
    const stop = new AbortController();
    void followStory(id, TOOLS, story, stop.signal);
    return () => {
      stop.abort();
      current.stop();
    };
  }, [id, story, current]);
  return story;
}
