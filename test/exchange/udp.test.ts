import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const ASKING = fileURLToPath(new URL('few-descriptors.js', import.meta.url));

t.test(
  'where no descriptor is left for a socket, the attempt ends with that, and nothing breaks',
  async (t) => {
    const script = 'ulimit -n 40 && exec "$0" "$@"';
    const said = execFileSync('sh', ['-c', script, process.execPath, ASKING], { encoding: 'utf8' });
    const ends = said.split(',');
    t.ok(ends.includes('EMFILE'), said);
    t.same(
      ends.filter((end) => !['EMFILE', 'ECONNREFUSED', 'timeout'].includes(end)),
      [],
      said,
    );
  },
);
