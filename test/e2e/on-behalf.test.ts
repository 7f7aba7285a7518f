// An emitted server calls its API for its callers: by a token exchange that the environment configures, and by code of its own.
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import { AUDIENCE, startIssuer } from '../runtime/oauth/issuer.ts';
import { modernCall } from '../runtime/oauth/modern-call.ts';
import { exchangeBy } from '../runtime/oauth/on-behalf/behalf.ts';
import { issuedFor, startTokenEndpoint } from '../runtime/oauth/on-behalf/token-endpoint.ts';
import { headerOf, rawServer } from '../support/loopback.ts';
import { startServer } from './support/clients.ts';
import { mcpgenHere, root } from './support/command.ts';
import { temporaryFolder } from './support/project.ts';

const operation = (operationId: string, scheme: string, scopes: string[] = []): object => ({
  operationId,
  security: [{ [scheme]: scopes }],
  responses: { 200: { description: 'ok' } },
});

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Diary', version: '1' },
  servers: [{ url: 'https://diary.example' }],
  paths: {
    '/page': { get: operation('readPage', 'user', ['diary:read']) },
    '/cover': { get: operation('readCover', 'key') },
  },
  components: {
    securitySchemes: {
      user: { type: 'oauth2', flows: { authorizationCode: flow() } },
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    },
  },
};

function flow(): object {
  const scopes = { 'diary:read': 'Read it.' };
  return { authorizationUrl: 'https://id.example/a', tokenUrl: 'https://id.example/t', scopes };
}

const CONFIG = {
  source: '../diary.json',
  name: 'diary-mcp',
  features: ['stdio', 'http', 'audit'],
  auth: { scopeMap: { 'diary:read': [] }, exchange: { user: { audience: ['diary'] } } },
};

const HANDLERS = `import type { Tools } from '../generated/types.ts';
import type { CredentialsRequest, Handlers } from '../runtime/types.ts';

function keyOf({ caller, scheme }: CredentialsRequest): { apiKey: string } | undefined {
  return scheme === 'key' ? { apiKey: \`key-of-\${caller.subject}\` } : undefined;
}

export const handlers: Handlers<Tools> = { upstreamCredentials: keyOf };
`;

let folder: string;
let project: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  project = path.join(folder, 'diary-mcp');
  await writeFile(path.join(folder, 'diary.json'), JSON.stringify(DOCUMENT));
  await mkdir(project);
  await writeFile(path.join(project, 'mcpgen.config.json'), JSON.stringify(CONFIG));
  await generate();
  // In place of what was written once.
  await writeFile(path.join(project, 'src/handlers/index.ts'), HANDLERS);
  await generate();
  await mkdir(path.join(project, 'node_modules'));
  await symlink(path.join(root, 'node_modules/jose'), path.join(project, 'node_modules/jose'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function generate(): Promise<void> {
  const { code, stderr } = await mcpgenHere(['generate', project]);
  if (code !== 0) throw new Error(stderr);
}

test('two callers, a scheme by exchange and one by a handler; the audit log says so', async () => {
  const issuer = await startIssuer();
  const endpoint = await startTokenEndpoint(issuer);
  const api = await rawServer();
  onTestFinished(() => api.close());
  const audit = path.join(folder, 'audit.jsonl');
  const { origin, stop } = await startServer(project, {
    args: ['--audit', audit],
    env: {
      MCP_AUTH_ISSUER: issuer.url,
      MCP_AUTH_AUDIENCE: AUDIENCE,
      API_BASE_URL: api.url,
      API_KEY_KEY: 'key-of-the-server',
      ...exchangeBy(endpoint),
    },
  });
  onTestFinished(stop);
  const call = async (tool: string, token: string): Promise<void> => {
    const [message, headers] = modernCall(tool, {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    });
    const answer = await fetch(`${origin}/mcp`, { method: 'POST', headers, body: JSON.stringify(message) });
    expect([answer.status, await answer.text()]).toEqual([200, expect.not.stringContaining('isError":true')]);
  };
  const tokens = [await issuer.token(), await issuer.token({ sub: 'bob' })];
  for (const tool of ['readPage', 'readCover', 'readPage'])
    for (const token of tokens) await call(tool, token);
  expect(endpoint.faults).toEqual([]);
  expect(endpoint.requests.map(({ subject, form }) => [subject, form['audience'], form['scope']])).toEqual([
    ['alice', ['diary'], ['diary:read']],
    ['bob', ['diary'], ['diary:read']],
  ]);
  const sent = api.requests.map((each) => headerOf(each, 'authorization') ?? headerOf(each, 'x-key'));
  const [alice, bob] = [`Bearer ${issuedFor('alice', 1)}`, `Bearer ${issuedFor('bob', 2)}`];
  expect(sent).toEqual([alice, bob, 'key-of-alice', 'key-of-bob', alice, bob]);
  for (const { line, headers, body } of api.requests)
    for (const token of tokens) expect([line, ...headers, body.toString()].join()).not.toContain(token);
  await expect.poll(async () => (await readFile(audit, 'utf8')).trim().split('\n')).toHaveLength(6);
  const log = await readFile(audit, 'utf8');
  const lines = log
    .trim()
    .split('\n')
    .map((each) => JSON.parse(each) as Record<string, unknown>);
  expect(lines.map(({ subject, tool, onBehalf }) => [subject, tool, onBehalf])).toEqual([
    ['alice', 'readPage', ['user']],
    ['bob', 'readPage', ['user']],
    ['alice', 'readCover', ['key']],
    ['bob', 'readCover', ['key']],
    ['alice', 'readPage', ['user']],
    ['bob', 'readPage', ['user']],
  ]);
  for (const secret of [...tokens, 'key-of-alice', issuedFor('alice', 1)]) expect(log).not.toContain(secret);
});
