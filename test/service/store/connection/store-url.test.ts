import t from 'tap';
import { readStoreUrl, storeName } from '../../../../src/service/store/connection/store-url.ts';

const PLAIN = { port: 6_379, db: 0, encrypted: false };

t.test('addresses of stores', async (t) => {
  const rows = [
    ['redis://store.example', { ...PLAIN, host: 'store.example' }],
    ['valkey://store.example/', { ...PLAIN, host: 'store.example' }],
    ['rediss://192.0.2.1:6380/3', { host: '192.0.2.1', port: 6_380, db: 3, encrypted: true }],
    ['valkeys://[2001:db8::1]', { ...PLAIN, host: '2001:db8::1', encrypted: true }],
    ['redis://:p%40ss%25@h', { ...PLAIN, host: 'h', credentials: { password: 'p@ss%' } }],
    ['redis://me:pass@h', { ...PLAIN, host: 'h', credentials: { username: 'me', password: 'pass' } }],
  ] as const;
  for (const [text, address] of rows) t.strictSame(readStoreUrl(text), { kind: 'address', address }, text);
});

t.test('what is wrong with others, without a word of them', async (t) => {
  const rows = [
    ['store.example', 'must be redis[s]://[USER:PASSWORD@]HOST[:PORT][/DB]'],
    ['', 'must be redis[s]://[USER:PASSWORD@]HOST[:PORT][/DB]'],
    ['redis://h:99999', 'must be redis[s]://[USER:PASSWORD@]HOST[:PORT][/DB]'],
    ['http://h', 'must begin with redis://, rediss://, valkey:// or valkeys://'],
    ['redis://', 'names no host'],
    ['redis:/tmp/socket', 'names no host'],
    ['redis://h:0', 'names port 0'],
    ['redis://h/1?family=6', 'must end after the number of the database'],
    ['redis://h/jobs', 'must end with the number of a database, if with anything'],
    ['redis://me@h', 'has a user, but no password'],
    ['redis://:100%@h', 'has a % in its user or password that should be %25'],
  ] as const;
  for (const [text, reason] of rows) t.strictSame(readStoreUrl(text), { kind: 'invalid', reason }, text);
});

t.test('people read an address without credentials', async (t) => {
  const read = readStoreUrl('rediss://me:secret@[2001:db8::1]:7000/2');
  t.equal(read.kind === 'address' && storeName(read.address), '[2001:db8::1]:7000');
});
