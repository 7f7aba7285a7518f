// Secrets in every input, an API that shows all it is sent and fails in every way: none of them comes out anywhere.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { SecurityScheme } from '../../templates/runtime/types.ts';
import { startProject, type Started, type TestProject, writeProject } from '../support/server-project.ts';
import { type Loopback, rawServer, type Received } from '../support/loopback.ts';

/** Each made of characters that are written in several ways: in JSON, in URLs, in forms. */
const canary = (name: string): string => `canary-${name} "${name}"/+&=é`;
const plain = (name: string): string => `canary-${name}-0123456789`;

const env: Record<string, string> = {
  API_KEY_QUERY: canary('query'),
  API_KEY_HEADER: plain('header'),
  API_KEY_COOKIE: canary('cookie'),
  BASIC_USERNAME_BASIC: plain('user'),
  BASIC_PASSWORD_BASIC: canary('password'),
  BEARER_TOKEN_BEARER: plain('bearer'),
  AUTHORIZATION_SHARED: plain('shared'),
  OAUTH_CLIENT_ID_OAUTH: 'client',
  OAUTH_CLIENT_SECRET_OAUTH: canary('client-secret'),
  MCP_STATE_SECRET: plain('state-secret-0123456789-0123456789'),
};
/** Secrets in a client's headers and arguments: none is logged. */
const client = { authorization: `Bearer ${plain('caller')}`, cookie: `sid=${plain('sid')}` };
const argument = plain('argument');
const baseSecret = plain('base');
const issued = plain('issued');

const schemes: Record<string, SecurityScheme> = {
  query: { type: 'apiKey', in: 'query', name: 'q_key', env: { key: 'API_KEY_QUERY' } },
  header: { type: 'apiKey', in: 'header', name: 'X-Key', env: { key: 'API_KEY_HEADER' } },
  cookie: { type: 'apiKey', in: 'cookie', name: 'ckey', env: { key: 'API_KEY_COOKIE' } },
  basic: {
    type: 'basic',
    env: { username: 'BASIC_USERNAME_BASIC', password: 'BASIC_PASSWORD_BASIC' },
  },
  bearer: { type: 'bearer', env: { token: 'BEARER_TOKEN_BEARER' } },
  shared: { type: 'http', scheme: 'Shared', env: { authorization: 'AUTHORIZATION_SHARED' } },
};

const json = (text: string, head = '200 OK', fields = ''): string =>
  `HTTP/1.1 ${head}\r\nContent-Type: application/json\r\n${fields}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;

/** By path: an answer that shows the whole request. `undefined`: the connection breaks off. */
const answers: Record<string, (shown: string) => string | undefined> = {
  echo: (shown) => json(JSON.stringify({ shown })),
  text: (shown) =>
    `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(shown)}\r\n\r\n${shown}`,
  denied: (shown) => json(JSON.stringify({ error: shown }), '401 Unauthorized'),
  failed: (shown) => json(JSON.stringify([shown]), '500 Internal Server Error'),
  broken: (shown) => json(`{"shown": ${JSON.stringify(shown)}`),
  moved: (shown) => json('{}', '302 Found', `Location: nothing://x/?${encodeURIComponent(shown)}\r\n`),
  half: (shown) => `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 999999\r\n\r\n${shown}`,
  garbage: (shown) => `${shown}\r\n\r\n`,
  events: (shown) =>
    `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\ndata: ${JSON.stringify(shown)}\n\n`,
  gone: () => undefined,
};

function answerTo({ line, headers, body }: Received): string | undefined {
  const shown = [line, ...headers, body.toString()].join(' | ');
  if (line.includes('/token'))
    return headers.join().includes('granted')
      ? json(JSON.stringify({ access_token: issued, token_type: 'bearer' }))
      : json(JSON.stringify({ error: 'invalid_client', error_description: shown }), '401 Unauthorized');
  const path = /\/v1\/(\w+)/.exec(line)?.[1] ?? '';
  return answers[path]?.(shown);
}

let api: Loopback;
let project: TestProject;
let started: Started;
let url = '';

beforeAll(async () => {
  api = await rawServer((received, socket) => {
    const answer = answerTo(received);
    if (answer === undefined) socket.destroy();
    else if (/Connection: close|999999/.test(answer)) socket.end(answer);
    return /Connection: close|999999/.test(answer ?? '') ? undefined : answer;
  });
  const oauth = {
    type: 'oauth2',
    tokenUrl: `${api.url}/token`,
    env: {
      token: 'BEARER_TOKEN_OAUTH',
      clientId: 'OAUTH_CLIENT_ID_OAUTH',
      clientSecret: 'OAUTH_CLIENT_SECRET_OAUTH',
      scopes: 'OAUTH_SCOPES_OAUTH',
    },
  };
  const securitySchemes = { ...schemes, oauth };
  const tools = Object.fromEntries(
    Object.keys(securitySchemes).flatMap((scheme) =>
      Object.keys(answers).map((path): [string, object] => [
        `${scheme}_${path}`,
        {
          do: {
            kind: 'http',
            method: 'GET',
            path: `/${path}`,
            parameters: [],
            security: [{ [scheme]: [] }],
          },
        },
      ]),
    ),
  );
  project = writeProject({
    catalog: {
      tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object' } })),
    },
    bindings: { upstream: { servers: [], securitySchemes }, tools },
  });
  const flags = ['--transport', 'http', '--port', '0', '--log-level', 'debug'];
  const audit = ['--audit', join(project.dir, 'audit.jsonl'), '--audit-arguments', 'full'];
  started = startProject(project, [...flags, ...audit], {
    ...env,
    API_BASE_URL: `${api.url}/v1?base_token=${baseSecret}`,
  });
  await vi.waitFor(() => expect(started.output.stderr).toContain('serving http'), 60_000);
  url = /http:\/\/\S+\/mcp/.exec(started.output.stderr)?.[0] ?? '';
});

afterAll(async () => {
  started.child.kill('SIGKILL');
  await api.close();
  project.remove();
});

const modern = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Status, head and body, all as one text. */
async function call(name: string, args: object): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
      ...client,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args, _meta: modern },
    }),
  });
  return `${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`;
}

/** As it stands, and as others write it. */
function spellings(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  const written = [
    encodeURIComponent(secret),
    encodeURI(secret),
    String(new URLSearchParams({ s: secret })).slice(2),
  ];
  const bytes = ['base64', 'base64url', 'hex'] as const;
  return [
    secret,
    inJson,
    JSON.stringify(inJson).slice(1, -1),
    ...written,
    ...bytes.map((as) => Buffer.from(secret).toString(as)),
  ];
}

/** Which of the secrets `text` shows, in any spelling. */
function shownIn(text: string, secrets: readonly string[]): string[] {
  return secrets.filter((secret) => spellings(secret).some((one) => text.includes(one)));
}

test('no secret comes out: not in results, errors, logs or the audit log', async () => {
  const { BASIC_USERNAME_BASIC: user = '', BASIC_PASSWORD_BASIC: password = '' } = env;
  const secrets = Object.entries(env).flatMap(([name, value]) =>
    /CLIENT_ID|USERNAME/.test(name) ? [] : [value],
  );
  const ours = [...secrets, `${user}:${password}`, baseSecret, issued, client.authorization, client.cookie];
  const names = [...Object.keys(schemes), 'oauth'].flatMap((scheme) =>
    Object.keys(answers).map((path) => `${scheme}_${path}`),
  );
  const said: Record<string, string[]> = {};
  let answered = '';
  // At the same time, since those that fail are tried again after a while.
  const calls = [...names, 'no_such_tool'].map(async (name) => {
    const text = await call(name, { password: argument, nested: [{ apiKey: argument }] });
    answered += text;
    const shown = shownIn(text, ours);
    if (shown.length > 0) said[name] = shown;
  });
  await Promise.all(calls);
  started.child.kill('SIGTERM');
  await started.exit;
  const audit = readFileSync(join(project.dir, 'audit.jsonl'), 'utf8');
  expect(said).toEqual({});
  expect(shownIn(started.output.stderr, [...ours, argument])).toEqual([]);
  expect(shownIn(audit, [...ours, argument])).toEqual([]);
  // That it was not for want of anything to show: the API was sent them, and what it answered came through.
  expect(audit.trim().split('\n')).toHaveLength(names.length + 1);
  expect(answered).toContain('[redacted]');
  const seen = api.requests
    .map(({ line, headers, body }) => `${line} ${headers.join(' ')} ${body.toString()}`)
    .join();
  const sent = [...secrets.filter((one) => one !== env['MCP_STATE_SECRET'] && one !== password), baseSecret];
  expect(sent.filter((one) => shownIn(seen, [one]).length === 0)).toEqual([]);
});
