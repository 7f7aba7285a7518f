// Texts by which directories check to whom a domain belongs.
import { expect, test } from 'vitest';
import { makeHttpClient } from './client.ts';
import { serve } from './http.ts';

test('the text of MCP_WELL_KNOWN_<NAME> is for everybody', async () => {
  const env = {
    MCP_WELL_KNOWN_OPENAI_APPS_CHALLENGE: 'token-1',
    MCP_WELL_KNOWN_OTHER: '',
    MCP_WELL_KNOWN_: 'x',
  };
  const { url } = await serve({ env }, []);
  const { send } = makeHttpClient(url);
  const path = '/.well-known/openai-apps-challenge';
  const answer = await send('GET', path, { host: 'mcp.example', origin: 'https://elsewhere.example' });
  expect(answer).toMatchObject({ status: 200, text: 'token-1' });
  expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect((await send('POST', path, {})).status).toBe(405);
  for (const other of ['/.well-known/other', '/.well-known/', '/.well-known/toString'])
    expect((await send('GET', other, {})).status).toBe(404);
});
