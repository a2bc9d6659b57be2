import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { Job } from '../../../src/service/jobs/job.ts';
import { Following } from '../../../src/service/store/jobs/follower.ts';
import { createFakeClock } from '../../base/fake-clock.ts';
import { REQUEST } from '../jobs/every-kind.ts';

/** Followers of jobs in a store that counts what it is asked. */
function followingIn(t: Test) {
  const clock = createFakeClock();
  const told: (readonly string[])[] = [];
  let looks = 0;
  const isGone = new Set<string>();
  const find = async (id: string) => {
    looks += 1;
    return isGone.has(id) ? undefined : { job: jobOf(id), attended: true };
  };
  const following = new Following({
    clock,
    reading: { find },
    running: { tellFollowed: async (ids) => void told.push(ids) },
    failed: (error) => t.fail(String(error)),
    orphaned: () => {},
  });
  following.begin();
  return { clock, following, told, isGone, looks: () => looks };
}

const jobOf = (id: string) =>
  new Job({
    id,
    request: REQUEST,
    owner: { client: '192.0.2.1', party: '192.0.2.1' },
    createdAt: new Date(),
  });

t.test(
  'instances are told once a second of all jobs that are followed, however many follow them',
  async (t) => {
    const { clock, following, told } = followingIn(t);
    const [one, other] = [randomUUID(), randomUUID()];
    const stops = [one, one, one, other].map((id) => {
      const job = jobOf(id);
      following.follow(job);
      return job.events.subscribe(() => {});
    });
    await clock.advance(2_000);
    t.same(told, [
      [one, other],
      [one, other],
    ]);
    for (const stop of stops) stop();
    await clock.advance(2_000);
    t.equal(told.length, 2, 'and of none that nobody follows');
  },
);

t.test('all who read the events of a job here have the same job, while somebody reads', async (t) => {
  const { following } = followingIn(t);
  const job = jobOf(randomUUID());
  following.follow(job);
  t.equal(following.followed(job.id), undefined);
  const stop = job.events.subscribe(() => {});
  t.equal(following.followed(job.id), job);
  stop();
  t.equal(following.followed(job.id), undefined);
});

t.test('a job whose events have ended is not looked at, though a slow reader is still there', async (t) => {
  const { clock, following, isGone, looks } = followingIn(t);
  const job = jobOf(randomUUID());
  following.follow(job);
  job.events.subscribe(() => {});
  await clock.advance(1_000);
  t.equal(looks(), 2);
  isGone.add(job.id);
  await clock.advance(10_000);
  t.same([job.events.ended, looks()], [true, 3]);
});

t.test(
  'when an instance stops, its followers see once more what there is, and it does nothing later',
  async (t) => {
    const { clock, following, told, looks } = followingIn(t);
    const job = jobOf(randomUUID());
    following.follow(job);
    job.events.subscribe(() => {});
    await clock.advance(0);
    await following.end();
    t.same([job.events.ended, looks(), clock.timers], [true, 2, 0]);
    await clock.advance(2_000);
    t.same([told, looks()], [[], 2]);
  },
);
