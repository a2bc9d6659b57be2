import { readFileSync } from 'node:fs';
import t from 'tap';
import { keysOf } from '../../src/base/limits.ts';
import { END_TERMS } from '../../src/document/words/end-words.ts';
import { showcases } from '../../src/lab/showcases.ts';
import { renderText } from '../../src/report/result-text.ts';
import { adviceOn } from '../../src/report/views/advice.ts';
import { meaningsIn } from '../../src/report/views/meanings.ts';
import { wordingFor } from '../../src/report/views/wording.ts';
import { demoResult } from '../lab/demo-result.ts';
import { explainedText, hostile, savedNames, savedResult } from './graph-results.ts';

t.test('every kind of end has a meaning, and somebody who can act', async (t) => {
  const mixed = savedResult('mixed');
  const [row] = mixed.users;
  if (row === undefined) throw new Error('users get something');
  for (const kind of keysOf(END_TERMS)) {
    const { answer: _, ...rest } = row;
    const users = kind === 'answer' ? mixed.users : [{ ...rest, kind }];
    const [first] = meaningsIn({ ...mixed, users }, wordingFor(mixed, 'terse'));
    t.match(first?.means, /^[A-Z][^.]+\. .*(?:can act|You can act)\.$/, kind);
    t.notMatch(first?.means, /undefined|\.\.| {2}/, kind);
  }
});

const FIXTURES = new URL('../fixtures/explain/', import.meta.url);

t.test('saved results are explained as expected', async (t) => {
  for (const name of savedNames) {
    const expected = readFileSync(new URL(`${name}.txt`, FIXTURES), 'utf8');
    t.equal(explainedText(savedResult(name)), expected, name);
  }
});

t.test('each fault says once what to do, and who can', async (t) => {
  const codes = new Set<string>();
  for (const { name, type } of showcases) {
    const result = await demoResult(name, type);
    for (const { code, action, hence } of adviceOn(result.findings, 'terse')) {
      codes.add(code);
      t.match(action, /^(?:(?:The|You)\b.*: |See )./, `${name} ${code}`);
      for (const one of hence) t.notMatch(one.action, /^See /, `${name} ${one.code}`);
    }
  }
  t.ok(codes.size > 15);
});

t.test('explanations are part of the text where they are asked for', async (t) => {
  const result = savedResult('mixed');
  const listed = renderText(result, { colour: 'off', detail: 'terse', width: 80 });
  t.notMatch(listed, /What ends mean|The operator of/);
  const explains = explainedText(result);
  t.match(explains, /\n {2}- The operator of ns\.mixed\.example, or the owner of mixed\.example: repair/);
  t.match(explains, /\nWhat ends mean\n/);
  t.same(
    explains.split('\n').filter((line) => [...line].length > 80),
    [],
    'no line is too wide',
  );
  const attacked = explainedText(hostile(result));
  t.notMatch(attacked.replaceAll('\n', ''), /[\p{C}\p{Zl}\p{Zp}]/u, 'nothing that a terminal acts on');
});
