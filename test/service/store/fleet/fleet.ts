/**
 * Instances that share a store, under load, while they or the store fail: `[SECONDS [SCENARIO]]`. What is seen of them is
 * written down, and judged; of a history with faults the file is kept.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { judge } from '../../../siege/measured.ts';
import { startReceiver } from '../../http/webhook-receivers.ts';
import { faultsIn, isWebhookOwed } from './check-history.ts';
import { type Entry, monotonicNow, writtenHistory } from './history.ts';
import { startFleet } from './instances.ts';
import { startFleetLab } from './lab.ts';
import { Load } from './load.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';
import { startFleetStore } from './store.ts';

const INSTANCES = 4;

/** So long after the end of all trouble whatever was accepted has ended, and its webhook has come, also on a slow machine. */
const PATIENCE_MS = 180_000;

const RULES = { tokens: 10, windowMs: 5_000, ratePerAddress: 20, runningPerClient: 3 };

const BOUNDS = ['--max-queue', '5000', '--max-queue-per-client', '5000'];
const FLAGS = [
  '--quick',
  '--no-page',
  '--timeout',
  '3s',
  '--max-jobs-per-client',
  `${RULES.runningPerClient}`,
];
const ENV = { SERVICE_RATE_LIMIT: `${RULES.tokens}/${RULES.windowMs}ms` };

const [, , seconds = '10', chosen] = process.argv;
for (const [name, scenario] of Object.entries(SCENARIOS)) {
  if (chosen === undefined || name.includes(chosen)) await play(name, scenario);
}

async function play(name: string, scenario: Scenario): Promise<void> {
  const ends: (() => unknown)[] = [];
  const t = { teardown: (end: () => unknown) => void ends.unshift(end) };
  const history: Entry[] = [{ kind: 'rules', at: monotonicNow(), ...RULES }];
  try {
    const faults = await played(t, history, scenario);
    report(name, history, [...faults, ...faultsIn(history)]);
  } finally {
    for (const end of ends) await end();
  }
}

async function played(
  t: { readonly teardown: (end: () => unknown) => void },
  history: Entry[],
  scenario: Scenario,
): Promise<readonly string[]> {
  const note = (entry: Entry) => void history.push(entry);
  const store = await startFleetStore(t);
  const lab = await startFleetLab(t, (queries) => void history.push(...queries));
  const receiver = await startReceiver(t, (response, _n, { headers, body }) => {
    const { id: job, event } = JSON.parse(body);
    note({ kind: 'webhook', at: monotonicNow(), id: `${headers['webhook-id']}`, job, event });
    response.writeHead(204).end();
  });
  const fleet = await startFleet(t, {
    count: INSTANCES,
    args: [...lab, ...FLAGS, ...BOUNDS],
    env: { ...ENV, SERVICE_WEBHOOK_URL: receiver.url.href },
    store: store.primary(),
    storeUrl: store.urlAt,
    note,
  });
  const patience = new AbortController();
  const clients = { places: fleet.places, note, patience: patience.signal };
  const load = new Load(clients);
  const until = monotonicNow() + Number(seconds) * 1_000;
  const isOver = () => monotonicNow() > until;
  const running = load.run(isOver);
  const faults = await scenario({ fleet, store, history, clients, submit: load.submit, isOver });
  const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
  await running;
  await load.ended();
  while (!patience.signal.aborted && isWebhookOwed(history)) await passed(500);
  clearTimeout(timer);
  return faults;
}

/** Says what became of a scenario. */
function report(name: string, history: readonly Entry[], faults: readonly string[]): void {
  const count = (isSo: (entry: Entry) => boolean) => history.filter(isSo).length;
  const figures = [
    `${count((entry) => entry.kind === 'post' && entry.status === 202)} of ${count(({ kind }) => kind === 'post')} POSTs accepted`,
    `${count(({ kind }) => kind === 'began')} runs`,
    `${count(({ kind }) => kind === 'loss')} instances lost`,
    `${count(({ kind }) => kind === 'event')} events`,
    `${count(({ kind }) => kind === 'query')} queries`,
  ];
  judge(name, figures.join(', '), faults.length === 0);
  if (faults.length === 0) return;
  for (const fault of faults) console.log(`  ${fault}`);
  const file = join(mkdtempSync(join(tmpdir(), 'svc-history-')), 'history.jsonl');
  writeFileSync(file, writtenHistory(history));
  console.log(`  the history is in ${file}`);
}
