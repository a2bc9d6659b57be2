import type { Browser } from 'playwright-core';

/** What the main thread of a page did. */
interface Tasks {
  /** Processor time of each task in milliseconds: a task that waits for a processor takes no more of it. */
  readonly cpuMs: readonly number[];
  /** The time by the clock from the begin of the first to the end of the last. */
  readonly tookMs: number;
}

/** The tasks of a browser's only page while something happens, as Chromium traces them. */
export async function tasksDuring(browser: Browser, happen: () => Promise<unknown>): Promise<Tasks> {
  const session = await browser.newBrowserCDPSession();
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const one of value) events.push(one);
  });
  const traceConfig = { includedCategories: ['toplevel'] };
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig });
  await happen();
  const isComplete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await isComplete;
  await session.detach();
  return outermost(ofPage(events));
}

/** An event of a trace (Trace Event Format): its times are in microseconds. */
type TraceEvent = Readonly<Record<string, unknown>>;

/** Only threads that run scripts have such events; of these, the page's main thread has most to do. */
const OF_SCRIPTS = 'BlinkScheduler_PerformMicrotaskCheckpoint';

function ofPage(events: readonly TraceEvent[]): readonly TraceEvent[] {
  const threads = new Map<string, TraceEvent[]>();
  for (const event of events) {
    if (event.ph !== 'X') continue;
    const thread = `${event.pid} ${event.tid}`;
    threads.set(thread, threads.get(thread) ?? []);
    threads.get(thread)?.push(event);
  }
  const ofScripts = [...threads.values()].filter((own) => own.some(({ name }) => name === OF_SCRIPTS));
  const [main = []] = ofScripts.sort((a, b) => outermost(b).tookMs - outermost(a).tookMs);
  return main;
}

/** Those that are in no other. */
function outermost(events: readonly TraceEvent[]): Tasks {
  const ordered = [...events].sort((a, b) => Number(a.ts) - Number(b.ts) || Number(b.dur) - Number(a.dur));
  const cpuMs: number[] = [];
  const begunAt = Number(ordered[0]?.ts ?? 0);
  let endedAt = begunAt;
  for (const { ts, dur, tdur = 0 } of ordered) {
    if (Number(ts) < endedAt) continue;
    endedAt = Number(ts) + Number(dur);
    cpuMs.push(Number(tdur) / 1_000);
  }
  return { cpuMs, tookMs: (endedAt - begunAt) / 1_000 };
}
