import t from 'tap';
import { complaining, disagreement, FAULTY_FILES } from './authority/checkers.ts';

t.test('we find the faults that zone file checkers know, or say why not', async (t) => {
  const directory = t.testdir({});
  t.same(complaining({ shows: 'nothing wrong', lines: 'www A 192.0.2.2' }, directory), []);
  for (const file of FAULTY_FILES) {
    t.equal(disagreement(file), '', file.shows);
    t.ok(complaining(file, directory).length > 0, `some checker complains: ${file.shows}`);
    t.equal(file.ours === undefined, file.reason !== undefined, file.shows);
  }
});
