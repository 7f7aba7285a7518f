import { expect, test } from 'vitest';
import type { ServerBinding } from '../../src/model/bindings.ts';
import { derive, operation, source } from './support.ts';

const here: ServerBinding = { url: 'https://api.example.com' };
const nowhere: ServerBinding = { url: '/v1' };

test.each<[string, ServerBinding[], ServerBinding[] | undefined, string | undefined, string[]]>([
  ['none', [], undefined, undefined, ['no-absolute-server']],
  ['a relative one', [nowhere], undefined, undefined, ['no-absolute-server']],
  ['an absolute one', [nowhere, here], undefined, undefined, []],
  ['a variable in front', [{ url: '{scheme}://x' }], undefined, undefined, []],
  ['the operation’s own', [], [here], undefined, []],
  ['the operation’s own is relative to the document’s', [here], [nowhere], undefined, []],
  ['all are relative', [nowhere], [nowhere], undefined, ['no-absolute-server']],
  ['a base URL of the run', [nowhere], undefined, 'http://127.0.0.1:1', []],
])('where the API is: %s', (_what, servers, own, baseUrl, want) => {
  const one = operation('GET /x', own === undefined ? {} : { servers: own });
  const { problems } = derive(source([one], { servers }), baseUrl === undefined ? {} : { baseUrl });
  expect(problems).toEqual(want);
});

test('nothing is said of a place that nothing needs', () => {
  expect(derive(source([], { servers: [] })).problems).not.toContain('no-absolute-server');
});

test('of other servers that operations have, one of each host is told', () => {
  const servers = [
    ['https://api.example.com/v2'],
    ['https://files.test/a'],
    ['https://files.test/b', 'https://c.test'],
    ['/v3'],
  ];
  const operations = servers.map((urls, index) =>
    operation(`GET /${index}`, { servers: urls.map((url) => ({ url })) }),
  );
  const { model } = derive(source([...operations, operation('GET /own')], { servers: [here] }));
  expect(model.upstream?.otherServers).toEqual([{ url: 'https://files.test/a' }]);
  expect(derive(source([operation('GET /x')], { servers: [here] })).model.upstream).not.toHaveProperty(
    'otherServers',
  );
});

test.each([
  ['https://files.test/a', 'https://files.test/{open}'],
  ['https://files.test:8443/a', 'https://files.test:8443{open}'],
])('servers that differ in an open variable of the path are one host: %s, %s', (...urls) => {
  const operations = urls.map((url, index) => operation(`GET /${index}`, { servers: [{ url }] }));
  expect(derive(source(operations, { servers: [here] })).problems).not.toContain('variable-of-two');
});
