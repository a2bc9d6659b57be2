import { useEffect, useRef, useState } from 'preact/hooks';
import { pause } from '../../abort.ts';
import { openJobStream } from '../api/job-stream.ts';
import { fetchJob, fetchServers } from '../api/jobs.ts';
import { type FollowTools, followStory } from './follow-story.ts';
import { JobStory } from './job-story.ts';

const TOOLS: FollowTools = {
  fetchJob,
  fetchServers,
  openStream: openJobStream,
  pause,
  now: () => performance.now(),
};

/** So that a thousand replies in a second are drawn ten times. */
const REDRAW_MS = 100;

/** The story of a job, which is followed as long as it is shown. Draws it anew when it has changed. */
export function useStory(id: string): JobStory {
  const [, redraw] = useState(0);
  const due = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const story = useRef<JobStory | undefined>(undefined);
  story.current ??= new JobStory(() => {
    due.current ??= setTimeout(() => {
      due.current = undefined;
      redraw((times) => times + 1);
    }, REDRAW_MS);
  });
  const { current } = story;
  useEffect(() => {
    const stop = new AbortController();
    void followStory(id, TOOLS, current, stop.signal);
    return () => {
      stop.abort();
      clearTimeout(due.current);
    };
  }, [id, current]);
  return current;
}
