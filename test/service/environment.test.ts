import t from 'tap';
import { DEFAULT_RATE_LIMIT } from '../../src/service/clients/rate-limit-setting.ts';
import { readEnvironment } from '../../src/service/environment.ts';

const USUAL = { rateLimit: DEFAULT_RATE_LIMIT, region: undefined, webhook: undefined };

t.test('the settings that an environment makes', async (t) => {
  const url = new URL('http://receiver.example/');
  const ROWS: readonly (readonly [env: Record<string, string>, settings: object])[] = [
    [{}, {}],
    [{ EDGE_REGION: 'fra' }, { region: 'fra' }],
    [{ EDGE_REGION: '' }, {}],
    [{ SERVICE_RATE_LIMIT: '5/1s' }, { rateLimit: { requests: 5n, window: 1_000_000_000n } }],
    [{ SERVICE_RATE_LIMIT: '' }, {}],
    [{ SERVICE_WEBHOOK_URL: url.href }, { webhook: { url } }],
    [{ SERVICE_WEBHOOK_URL: url.href, SERVICE_WEBHOOK_SECRET: '' }, { webhook: { url } }],
    [{ SERVICE_WEBHOOK_URL: url.href, SERVICE_WEBHOOK_SECRET: 's' }, { webhook: { url, secret: 's' } }],
    [{ SERVICE_WEBHOOK_SECRET: 's' }, {}],
  ];
  for (const [env, settings] of ROWS) {
    const read = readEnvironment(env);
    t.same(read, { settings: { ...USUAL, ...settings }, warnings: [] }, JSON.stringify(env));
  }
});

t.test('an invalid value is reported, and counts as not set', async (t) => {
  for (const [name, value, words] of [
    ['SERVICE_RATE_LIMIT', '10/soon', /^SERVICE_RATE_LIMIT .*default/],
    ['SERVICE_WEBHOOK_URL', 'ftp://receiver.example/', /^SERVICE_WEBHOOK_URL .*off/],
  ] as const) {
    const { settings, warnings } = readEnvironment({ [name]: value });
    t.same(settings, USUAL);
    t.equal(warnings.length, 1);
    t.match(warnings[0], words);
    t.notMatch(warnings[0], value, 'which may be a secret');
  }
});
