// Warnings about where credentials go.
import { expect, test } from 'vitest';
import type { SecurityScheme, SourceModel } from '../../../src/model/source-model.ts';
import { derive, operation, origin, source } from '../support.ts';

const key: SecurityScheme = { origin, type: 'apiKey', in: 'header', name: 'X-Key' };
const oauth = (tokenUrl: string): SecurityScheme => ({ origin, type: 'oauth2', tokenUrl, scopes: {} });

/** Diagnostics for an API at `urls` whose operations need `scheme`. */
function problemsAt(
  urls: string[],
  scheme: SecurityScheme = key,
  rest: Partial<SourceModel> = {},
  baseUrl?: string,
) {
  const model = source([operation('GET /x')], {
    servers: urls.map((url) => ({ url })),
    securitySchemes: { scheme },
    security: [{ scheme: [] }],
    ...rest,
  });
  return derive(model, baseUrl === undefined ? {} : { baseUrl }).problems;
}

test.each([
  ['http', ['http://api.example.com'], ['credentials-unencrypted']],
  ['http of a private network', ['http://10.0.0.1'], ['credentials-unencrypted']],
  ['http on this machine', ['http://localhost:8080'], []],
  ['http on a loopback address', ['http://127.0.0.1:8080'], []],
  ['a host that is named like one', ['http://localhost.example.com'], ['credentials-unencrypted']],
  ['https', ['https://api.example.com'], []],
  ['http that must be chosen', ['https://api.example.com', 'http://api.example.com'], []],
])('without TLS: %s', (_what, urls, want) => {
  expect(problemsAt(urls)).toEqual(want);
});

test('without TLS nothing is said where no credential goes', () => {
  expect(problemsAt(['http://api.example.com'], key, { security: [] })).toEqual([]);
});

test('a token endpoint without TLS gets a secret too', () => {
  expect(problemsAt(['https://api.example.com'], oauth('http://api.example.com/token'))).toEqual([
    'credentials-unencrypted',
  ]);
});

test.each([
  [
    'a link-local address',
    'https://api.example.com/o.json',
    'https://169.254.169.254/latest',
    ['server-inward'],
  ],
  ['a private one', 'https://api.example.com/o.json', 'https://192.168.0.1', ['server-inward']],
  ['this machine', 'https://api.example.com/o.json', 'https://localhost:8443', ['server-inward']],
  ['a public one', 'https://api.example.com/o.json', 'https://api.example.com', []],
  ['this machine, in a document of this machine', 'http://localhost:80/o.json', 'https://127.0.0.1', []],
  ['this machine, in a file', 'api.yaml', 'https://127.0.0.1', []],
])('a server inward: %s', (_what, file, url, want) => {
  const from = { origin: { ...origin, file } };
  expect(problemsAt([url], key, from)).toEqual(want);
  expect(problemsAt([url], key, from, 'https://10.0.0.1')).toEqual([]);
});

test.each([
  ['one host', 'api.example.com', 'api.example.com', true],
  ['one site', 'api.example.com', 'id.example.com', true],
  ['another', 'api.example.com', 'id.other.com', false],
  ['one below a registry', 'api.example.co.uk', 'id.example.co.uk', true],
  ['another below a registry', 'api.example.co.uk', 'evil.co.uk', false],
  ['customers of a provider', 'a.herokuapp.com', 'b.herokuapp.com', false],
  ['one address', '10.0.0.1', '10.0.0.1', true],
  ['addresses that end alike', '10.0.0.1', '11.1.0.1', false],
  ['a dot at the end', 'api.example.com', 'id.example.com.', true],
])('a token endpoint of another site: %s', (_what, host, tokens, isSame) => {
  expect(problemsAt([`https://${host}`], oauth(`https://${tokens}/token`))).toEqual(
    isSame ? [] : ['token-endpoint-elsewhere'],
  );
});

test('of an API whose address only the environment knows no token endpoint is elsewhere', () => {
  expect(problemsAt(['/v1'], oauth('https://id.other.com/token'))).toEqual(['no-absolute-server']);
});
