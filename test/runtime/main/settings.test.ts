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
