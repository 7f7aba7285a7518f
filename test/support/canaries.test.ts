// Secrets in servers' output are found in every spelling, and a server that reveals one fails.
import { expect, test } from 'vitest';
import { inJson, inText } from '../../scripts/lib/spellings.mjs';
import { startProject, writeProject } from '../runtime/main/project.ts';
import { canaries, Canaries } from './canaries.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

test.each<[string, (secret: string) => string]>([
  ['as it stands', (secret) => secret],
  ['within a text', (secret) => `"key":"${secret}"`],
  ['in hexadecimal', (secret) => Buffer.from(secret).toString('hex')],
  ['in Base64', base64],
  ['in Base64, behind one byte', (secret) => base64(`:${secret}`)],
  ['in Base64, behind two', (secret) => base64(`a:${secret}`)],
  ['in Base64 of a URL', (secret) => Buffer.from(`user:${secret}`).toString('base64url')],
  ['cut short', (secret) => secret.slice(0, 20)],
  ...Object.entries({ ...inJson, ...inText }),
  ['in Base64 in JSON of PHP', (secret) => base64(`??>${secret}`).replaceAll('/', '\\/')],
])('a planted secret is found %s', (_, written) => {
  const own = new Canaries();
  own.hear('a log', 'nothing of it');
  expect(own.take()).toEqual([]);
  own.hear('a log', `before ${written(own.plant())} after`);
  expect(own.take()).toEqual([expect.stringMatching(/^a log: …before /)]);
  expect(own.take()).toEqual([]);
});

test.each([
  'X-Key: rail+secret',
  '{"a":"rail\\u002Bsecret"}',
  '<a>rail&#43;secret</a>',
  '?key=rail%252bsecret',
])('one that a test gives is found too: %s', (text) => {
  const own = new Canaries();
  own.add('rail+secret');
  own.hear('an answer', text);
  expect(own.take()).toHaveLength(1);
});

test.each(['/', '+', '&', '<', '"', "'", '\\', 'é', '😀'])('a planted secret has %s', (character) => {
  expect(new Canaries().plant()).toContain(character);
});

test('a server that tells its secrets on standard error is found out', async () => {
  const project = writeProject({ loading: 'console.error(process.env.MCP_STATE_SECRET);' });
  const { child, exit } = startProject(project);
  child.stdin.end();
  await exit;
  project.remove();
  expect(canaries.take()).toEqual([expect.stringContaining('standard error: …canary-')]);
});

test('and one that tells the API’s in a result', async () => {
  const lists = { tools: [{ name: 'tell', inputSchema: { type: 'object' as const } }] };
  const project = writeProject({
    catalog: lists,
    bindings: {
      upstream: { servers: [], securitySchemes: { shop: { type: 'bearer', env: { token: 'SHOP_TOKEN' } } } },
    },
    handlers: '{ tools: { tell: () => process.env.SHOP_TOKEN } }',
  });
  const { child, output, exit } = startProject(project);
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
  for (const message of [
    { id: 0, method: 'initialize', params },
    { method: 'notifications/initialized' },
    { id: 1, method: 'tools/call', params: { name: 'tell', arguments: {} } },
  ])
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  child.stdin.end();
  await exit;
  project.remove();
  expect(output.stdout).toContain('"id":1');
  expect(canaries.take()).toEqual(expect.arrayContaining([expect.stringContaining('standard output: …')]));
});
