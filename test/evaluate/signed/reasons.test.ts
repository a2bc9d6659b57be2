/** Every insecure reply has a reason, and the records say so: in random signed worlds, and in the demo. */
import t from 'tap';
import { ALL_VIEWS, demoResult } from '../../lab/demo-result.ts';
import { randomSignedWorld, runSignedWorld, type SignedRun } from './random-signed-world.ts';
import { type JudgedReply, untrueReasons } from './true-reasons.ts';

const WORLDS = 60;

/** These come up, each in some worlds at least. */
const REASONS = ['no-ds', 'unsupported-ds', 'opt-out', 'iterations', 'unsigned-parent'];

t.test(`the reasons of ${WORLDS} random signed worlds are true`, async (t) => {
  const seen = new Map<string, number>();
  for (let seed = 1; seed <= WORLDS; seed += 1) {
    const replies = judgedIn(await runSignedWorld(randomSignedWorld(seed), { seed }));
    const untrue = untrueReasons(replies);
    if (untrue.length > 0) t.fail(`world ${seed}`, { untrue });
    for (const { insecure } of replies)
      if (insecure?.reason) seen.set(insecure.reason, (seen.get(insecure.reason) ?? 0) + 1);
  }
  for (const reason of REASONS) t.ok((seen.get(reason) ?? 0) >= 3, reason, { seen: seen.get(reason) });
});

function judgedIn({ recording, evaluation }: SignedRun): readonly JudgedReply[] {
  return [...recording.exchanges].flatMap(([key, { address, question, outcome }]): readonly JudgedReply[] => {
    if (outcome.kind !== 'reply') return [];
    const { answer, authority } = outcome;
    const verdict = evaluation.validation?.verdicts.get(key);
    const reply = { address, question, answer, authority };
    if (verdict?.status !== 'insecure') return [reply];
    const { why, server } = verdict;
    return [{ ...reply, insecure: { ...why, by: server?.address } }];
  });
}

t.test('the reasons of the demo are true', async (t) => {
  let insecure = 0;
  for (const name of [
    'www.unsigned.example',
    'www.old.example',
    'www.weighted.example',
    'no.unsigned.example',
  ]) {
    const { exchanges } = await demoResult(name, 'A', ALL_VIEWS);
    const replies = exchanges.map(
      ({ server, question, answer = [], authority = [], security }): JudgedReply => {
        const reply = { address: server.address, question, answer, authority };
        if (security?.status !== 'insecure') return reply;
        insecure += 1;
        return { ...reply, insecure: { ...security, by: security.server?.address } };
      },
    );
    t.same(untrueReasons(replies), [], name);
  }
  t.ok(insecure > 10, 'there are some', { insecure });
});
