import { expect, test } from 'vitest';
import { readSettings } from '../../../templates/runtime/main/settings.ts';

test.each([
  ['https://app.example', ['https://app.example']],
  ['HTTPS://App.Example:443/', ['https://app.example']],
  ['http://[0:0:0:0:0:0:0:1]:5173', ['http://[::1]:5173']],
  [' https://a.example ,,http://b.example:8080', ['https://a.example', 'http://b.example:8080']],
  ['vscode-webview://abc', ['vscode-webview://abc']],
  ['', []],
])('MCP_ALLOWED_ORIGINS=%j is read as browsers write origins', async (value, want) => {
  const { allowedOrigins } = await readSettings(new Map(), { MCP_ALLOWED_ORIGINS: value });
  expect(allowedOrigins).toEqual(want);
});

test.each([
  ['::1', '::1'],
  ['[::1]', '::1'],
  ['localhost', 'localhost'],
])('--host %s binds %s', async (value, want) => {
  const flags = new Map([
    ['transport', ['http']],
    ['host', [value]],
  ]);
  expect((await readSettings(flags, {})).host).toBe(want);
});

test.each([
  ['https://flag.example', 'https://variable.example', 'https://flag.example'],
  [undefined, 'https://variable.example', 'https://variable.example'],
  [undefined, '', undefined],
])('--base-url %s wins over API_BASE_URL=%s', async (flag, variable, want) => {
  const flags = new Map(flag === undefined ? [] : [['base-url', [flag]]]);
  expect((await readSettings(flags, { API_BASE_URL: variable })).baseUrl).toBe(want);
});

test.each<[Record<string, string>, object]>([
  [{}, {}],
  [{ API_TIMEOUT_MS: '', API_RESPONSE_BYTES: '', API_RESULT_CHARACTERS: '' }, {}],
  [
    { API_TIMEOUT_MS: '300000', API_RESPONSE_BYTES: '52428800', API_RESULT_CHARACTERS: '2000' },
    { timeoutMs: 300_000, responseBytes: 52_428_800, resultCharacters: 2_000 },
  ],
  [{ API_TIMEOUT_MS: '2147483647' }, { timeoutMs: 2_147_483_647 }],
])('%j bounds the calls of the API by %j', async (env, want) => {
  expect((await readSettings(new Map(), env)).upstreamLimits).toEqual(want);
});

test.each([
  ['API_TIMEOUT_MS', '0', '1 to 2147483647'],
  // Node's timers take it for 1 ms.
  ['API_TIMEOUT_MS', '2147483648', '1 to 2147483647'],
  ['API_TIMEOUT_MS', '60s', '1 to 2147483647'],
  ['API_RESPONSE_BYTES', '10 MiB', '1 to 268435456'],
  ['API_RESPONSE_BYTES', '268435457', '1 to 268435456'],
  ['API_RESULT_CHARACTERS', '-1', '1 to 50000000'],
  ['API_RESULT_CHARACTERS', '50000001', '1 to 50000000'],
])('%s=%s is refused', async (name, value, range) => {
  await expect(readSettings(new Map(), { [name]: value })).rejects.toThrow(
    `${name} must be a whole number, ${range}, not ${value}.`,
  );
});
