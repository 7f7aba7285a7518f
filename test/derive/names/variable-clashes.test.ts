import { expect, test } from 'vitest';
import { DiagnosticCollector } from '../../../src/diagnostics/collector.ts';
import { deriveServer } from '../../../src/derive/index.ts';
import type { SecurityScheme } from '../../../src/model/source-model.ts';
import type { ServerBinding } from '../../../src/model/bindings.ts';
import { derive, operation, origin, source } from '../support.ts';

const key = (name: string): SecurityScheme => ({ origin, type: 'apiKey', in: 'header', name });
const here: ServerBinding = { url: 'https://api.example.com' };

/** An operation at each of `own`, by any of `schemes`. */
function documentOf(own: readonly ServerBinding[], schemes: readonly string[], servers = [here]) {
  const operations = own.map((server, index) => operation(`GET /${index}`, { servers: [server] }));
  return source([...operations, operation('GET /own')], {
    servers,
    security: schemes.map((name) => ({ [name]: [] })),
    securitySchemes: Object.fromEntries(schemes.map((name) => [name, key(name)])),
  });
}

const at = (...urls: string[]): ServerBinding[] => urls.map((url) => ({ url }));
const open = (name: string, value?: string): ServerBinding => ({
  url: `https://{${name}}.example`,
  variables: { [name]: value === undefined ? {} : { default: value } },
});

test.each<[string, ServerBinding[], string[], ServerBinding[], boolean]>([
  ['hosts that differ', at('https://a.example', 'https://b.example'), ['key'], [here], false],
  [
    'one host, other paths and case',
    at('https://a.example/1', 'http://A.example:80/2'),
    ['key'],
    [here],
    false,
  ],
  ['hosts that differ in punctuation', at('http://a.b.test', 'http://a-b.test'), ['key'], [here], true],
  ['likewise, where nothing is sent', at('http://a.b.test', 'http://a-b.test'), [], [here], true],
  ['a port, and a host like it', at('http://a.test:81', 'http://a.test.81.test'), ['key'], [here], false],
  ['a port, and a name like it', at('http://a:81', 'http://a-81'), ['key'], [here], true],
  [
    'a scheme named like another at a host',
    at('http://localhost:7899'),
    ['key', 'key_localhost_7899'],
    [here],
    true,
  ],
  ['the same, at no host', [], ['key', 'key_localhost_7899'], [here], false],
  ['schemes that differ in punctuation', [], ['my-key', 'my_key'], [here], false],
  ['a third that is named like one of them', [], ['my-key', 'my_key', 'my_key_7d4c1443'], [here], true],
  [
    'a host that the environment completes, and one like it',
    [open('a'), ...at('https://a.example')],
    [],
    [here],
    true,
  ],
  ['a host by its default', [open('a', 'b'), ...at('https://b.example')], [], [here], false],
  [
    'one variable in two URLs',
    [],
    [],
    [open('a', 'x'), { ...open('a', 'y'), url: 'https://y.test/{a}' }],
    false,
  ],
  ['variables that differ in punctuation', [], [], at('https://x.test/{a-b}/{a_b}'), true],
  ['variables that differ in case', at('https://y.test/{A}'), [], at('https://x.test/{a}'), true],
])('variables of two: %s', (_what, own, schemes, servers, want) => {
  const { problems } = derive(documentOf(own, schemes, servers));
  expect(problems.filter((one) => one === 'variable-of-two')).toEqual(want ? ['variable-of-two'] : []);
});

test('a name is told of a host as a request finds it, whatever the URL is spelled like', () => {
  const { model, problems } = derive(
    documentOf(at('https://evil.test\\@files.test/', 'https://files.test'), ['key']),
  );
  expect(problems).not.toContain('variable-of-two');
  expect(model.upstream?.otherServers).toHaveLength(2);
});

test('schemes of one document, and of another at a host, share no variable', () => {
  const diagnostics = new DiagnosticCollector();
  const first = documentOf(at('https://files.test'), ['key']);
  const second = documentOf([], ['key_files_test']);
  const parts = [
    { source: first, options: { prefix: 'one_' } },
    { source: second, options: { prefix: 'two_' } },
  ];
  deriveServer(parts, {}, diagnostics);
  expect(
    diagnostics.found.map(({ message }) => message).filter((one) => one.includes('API_KEY_KEY_FILES_TEST')),
  ).toEqual([expect.stringContaining('the security scheme "key" of the API ONE at files.test')]);
});

test('a name that clashing schemes of one document gave up is not that of another document', () => {
  const diagnostics = new DiagnosticCollector();
  const parts = [
    { source: documentOf([], ['my-key', 'my_key']), options: { prefix: 'one_' } },
    { source: documentOf([], ['my_key']), options: { prefix: 'two_' } },
  ];
  const { upstreams = [] } = deriveServer(parts, {}, diagnostics);
  const variables = upstreams.map(({ securitySchemes }) =>
    Object.values(securitySchemes).flatMap((one) => (one.type === 'apiKey' ? [one.env.key] : [])),
  );
  expect(variables).toEqual([
    [expect.stringMatching(/^API_KEY_ONE_MY_KEY_/), expect.stringMatching(/^API_KEY_ONE_MY_KEY_/)],
    ['API_KEY_TWO_MY_KEY'],
  ]);
});
