import t from 'tap';
import { readResult } from '../../../src/document/read-result.ts';
import type { TraversalResult } from '../../../src/document/result.ts';
import { type ServerOrAddress, serverText } from '../../../src/evaluate/what-if/what-if.ts';
import { imaginingResult } from '../../../src/imagine.ts';
import { NOTHING_OFF, type OffChoice, toggled } from '../../../src/page/parts/off-choice.ts';
import { provableHere } from '../../../src/page/what-if/provable-here.ts';
import { imaginedOf, isOff, whyNotImagined } from '../../../src/page/what-if/what-if.ts';
import { runThrough } from '../../../src/pausable.ts';
import { parseName } from '../../../src/wire/name.ts';
import { inside } from '../../cli/inside.ts';

const NS = server('ns.mixed.example');
const HARBOUR = server('ns1.harbour.example');
const ADDRESS: ServerOrAddress = { kind: 'address', address: '198.51.100.82' };

t.test('servers are switched off and on', async (t) => {
  const rows: readonly (readonly [
    title: string,
    toggles: readonly ServerOrAddress[],
    off: readonly string[],
  ])[] = [
    ['nothing at first', [], []],
    ['one', [NS], ['ns.mixed.example.']],
    ['one, and on again', [NS, NS], []],
    [
      'in the order in which they were',
      [HARBOUR, NS, ADDRESS],
      ['ns1.harbour.example.', 'ns.mixed.example.', '198.51.100.82'],
    ],
    ['one of several on again', [HARBOUR, NS, HARBOUR], ['ns.mixed.example.']],
  ];
  for (const [title, toggles, off] of rows) {
    const choice = toggles.reduce(toggled, NOTHING_OFF);
    t.same(choice.off.map(serverText), off, title);
  }
  t.equal(imaginedOf(NOTHING_OFF), undefined, 'without any there is nothing to imagine');
});

t.test('which addresses are off', async (t) => {
  const name = parseName('ns.mixed.example');
  const at = (address: string) => ({ name, address });
  t.ok(isOff(toggled(NOTHING_OFF, NS), at('198.51.100.81')), 'every one of a server that is');
  t.ok(isOff(toggled(NOTHING_OFF, ADDRESS), at('198.51.100.82')), 'one by itself');
  t.notOk(isOff(toggled(NOTHING_OFF, ADDRESS), at('198.51.100.81')), 'and no other');
});

t.test('the page imagines what the command line does, to the last digit', async (t) => {
  const rows: readonly (readonly [name: string, flags: readonly string[], choice: OffChoice])[] = [
    ['www.mixed.example', ['--down', 'ns.mixed.example'], { mode: 'down', off: [NS] }],
    ['www.mixed.example', ['--without', 'ns.mixed.example'], { mode: 'without', off: [NS] }],
    [
      'www.mixed.example',
      ['--down', '198.51.100.82', '--down', 'ns1.harbour.example'],
      { mode: 'down', off: [ADDRESS, HARBOUR] },
    ],
    ['www.expired.example', ['--dnssec', '--down', 'ns1.harbour.example'], { mode: 'down', off: [HARBOUR] }],
  ];
  for (const [name, flags, choice] of rows) {
    const recorded = await traversed(flags.includes('--dnssec') ? [name, '--dnssec'] : [name]);
    const there = await traversed([name, ...flags]);
    const here = imagined(recorded, choice);
    if (here.kind !== 'imagined') throw new Error(here.kind);
    const { outcomes, resolver, validating, whatIf, recorded: before } = here.result;
    t.same(
      [outcomes, resolver, validating?.outcomes, validating?.firstTry, whatIf],
      [there.outcomes, there.resolver, there.validating?.outcomes, there.validating?.firstTry, there.whatIf],
      flags.join(' '),
    );
    t.same(before?.summary, recorded.summary, 'and what it was');
  }
});

t.test('what cannot be imagined is said in words', async (t) => {
  const recorded = await traversed(['www.stale.example']);
  const servers = [
    ...new Set(
      recorded.steps
        .filter(({ zone }) => zone === 'stale.example.')
        .flatMap(({ nameservers }) => nameservers.map(({ name }) => name)),
    ),
  ];
  const rows: readonly (readonly [choice: OffChoice, words: string])[] = [
    [
      { mode: 'without', off: servers.map((name) => ({ kind: 'server', name })) },
      'That would leave stale.example without a name server. Switch one of them on again.',
    ],
    [{ mode: 'down', off: [server('ns.elsewhere.example')] }, 'No path comes to ns.elsewhere.example.'],
  ];
  for (const [choice, words] of rows) {
    const came = imagined(recorded, choice);
    t.equal(came.kind === 'imagined' ? '' : whyNotImagined(came), words);
  }
});

function server(name: string): ServerOrAddress {
  return { kind: 'server', name: parseName(name) };
}

async function traversed(args: readonly string[]): Promise<TraversalResult> {
  const { stdout } = await inside(['traverse', '--demo', '--json', ...args]);
  return JSON.parse(stdout);
}

function imagined(recorded: TraversalResult, choice: OffChoice) {
  const whatIf = imaginedOf(choice);
  if (whatIf === undefined) throw new Error('nothing is imagined');
  return runThrough(imaginingResult(provableHere(readResult(recorded)), whatIf));
}
