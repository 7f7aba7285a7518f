// Words of an API, a connection or a hook are shown without the credentials of the call.
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { inText, tells } from '../../../scripts/lib/spellings.mjs';
import type { HttpBinding, SecuritySchemeBinding } from '../../../templates/runtime/contract/bindings.ts';
import { toToolResult } from '../../../templates/runtime/upstream/tool-result.ts';
import { redactJson, createRedactor, redactThrown } from '../../../templates/runtime/redact.ts';
import { call, httpServer, rawServer, refusal } from './loopback.ts';

const get: HttpBinding = { kind: 'http', method: 'GET', path: '/', parameters: [] };
const SECRET = 'top secret/1';
const securitySchemes: Record<string, SecuritySchemeBinding> = {
  head: { type: 'apiKey', in: 'header', name: 'X-Key', env: { key: 'KEY' } },
  query: { type: 'apiKey', in: 'query', name: 'key', env: { key: 'KEY' } },
};
const secured = (scheme: string) => ({
  api: { securitySchemes, security: [{ [scheme]: [] }] },
  settings: { env: { KEY: SECRET } },
});

test.each([
  ['as it stands', 'a top secret/1 b', 'a [redacted] b'],
  ['in JSON', 'top \\"secret\\"', '[redacted]', 'top "secret"'],
  ['in a URL', '/x?key=top%20secret%2F1&n=1', '/x?key=[redacted]&n=1'],
  ['in a form', 'key=top+secret%2F1', 'key=[redacted]'],
  ['whose variable ends in a blank', 'a top secret/1 b', 'a [redacted] b', ` ${SECRET}\n`],
  ['too short to tell from other words', 'abcde', 'abcde', 'abcde'],
])('a secret %s', (_, text, want, secret = SECRET) => {
  expect(createRedactor([secret])(text)).toBe(want);
});

test.each(Object.entries(inText))('a secret %s, in a URL, in JSON', (_, spell) => {
  const secret = 'q7+<é/"x\'&=% Q';
  const [as, url] = [spell(secret), encodeURIComponent(JSON.stringify(spell(secret)))];
  expect(tells(as, secret) && tells(url, secret)).toBe(true);
  expect(tells(createRedactor([secret])(as), secret)).toBe(false);
  expect(tells(createRedactor([secret])(url), secret)).toBe(false);
});

test('members whose names hold a secret stay apart', () => {
  const two = redactJson({ 'top secret/1': 1, 'top%20secret/1': 2 }, createRedactor([SECRET]));
  expect(two).toEqual({ '[redacted]': 1, '[redacted] 1': 2 });
});

test('of secrets that begin alike the longest goes first', () => {
  expect(createRedactor(['secret', 'secret-2'])('secret-2 secret')).toBe('[redacted] [redacted]');
});

test.each([
  ['query', 201, '/pets/7?key=top%20secret%2F1', '201 Created|location: /pets/7?key=[redacted]'],
  ['head', 202, '/jobs/1?key=top+secret%2F1', '202 Accepted|location: /jobs/1?key=[redacted]'],
  ['head', 300, '/top secret/1', 'The API answered 300 Multiple Choices\nlocation: /[redacted]'],
])('%s, %i: the location %s', async (scheme, status, location, want) => {
  const upstream = await rawServer(
    () => `HTTP/1.1 ${status} X\r\nlocation: ${location}\r\nContent-Length: 0\r\n\r\n`,
  );
  const answer = await call(upstream.url, get, {}, secured(scheme));
  await upstream.close();
  const texts = toToolResult(answer, get).content.map((one) => (one.type === 'text' ? one.text : ''));
  expect(texts.join('|')).toBe(want);
});

test.each(['beforeRequest', 'afterResponse'] as const)('what %s throws', async (hook) => {
  const upstream = await rawServer();
  const options = secured('head');
  const fail = (...given: { headers?: unknown }[]): never => {
    const request = given.at(-1);
    throw new RangeError(`no: ${request?.headers instanceof Headers ? request.headers.get('X-Key') : ''}`);
  };
  const settings = { ...options.settings, [hook]: fail };
  const failing = call(upstream.url, get, {}, { ...options, settings });
  await expect(failing).rejects.toThrow(new RangeError('no: [redacted]'));
  await upstream.close();
});

test('the stack and the causes of what a hook throws, which may be reported', async () => {
  const cause: Error & { cause?: unknown } = new Error(`cause ${SECRET}`);
  cause.cause = cause;
  const beforeRequest = (): never => {
    throw new Error(`of ${SECRET}`, { cause });
  };
  const options = secured('head');
  const settings = { ...options.settings, beforeRequest };
  const thrown: unknown = await call('http://127.0.0.1:1', get, {}, { ...options, settings }).catch(
    (error: unknown) => error,
  );
  expect(inspect(thrown)).toContain('of [redacted]');
  expect(inspect(thrown)).toContain('cause [redacted]');
  expect(inspect(thrown)).not.toContain(SECRET);
});

test('the user and password of a base URL', async () => {
  const upstream = await httpServer(({ headers }, response) => {
    response.writeHead(403, { 'content-type': 'text/plain' });
    response.end(`you are ${headers.authorization ?? ''}, that is ada:lovelace`);
  });
  const answer = await call(upstream.url.replace('//', '//ada:lovelace@'), get);
  await upstream.close();
  expect(answer.body).toEqual({ kind: 'text', text: 'you are Basic [redacted], that is ada:[redacted]' });
  expect(answer.url).toBe(`${upstream.url}/`);
});

test('secrets in the query of a base URL, and nothing else of it', async () => {
  const upstream = await httpServer(({ url = '' }, response) => {
    response.writeHead(200, { 'content-type': 'text/csv' });
    response.end(`asked ${url}: top secret/1, 2024-01-01`);
  });
  const base = `${upstream.url}/v1?api_key=top%20secret%2F1&api-version=2024-01-01`;
  const answer = await call(base, { ...get, path: '/pets' });
  await upstream.close();
  const query = '/v1/pets?api_key=[redacted]&api-version=2024-01-01';
  expect(answer.url).toBe(upstream.url + query);
  expect(answer.body).toEqual({ kind: 'text', text: `asked ${query}: [redacted], 2024-01-01` });
});

test('what a token endpoint repeats of the client that asks', async () => {
  const upstream = await httpServer(({ headers }, response) => {
    // 403 ends it at the first try, which is by Basic.
    response.writeHead(403, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: `bad client-secret of ${headers.authorization ?? ''}` }));
  });
  const oauth: SecuritySchemeBinding = {
    type: 'oauth2',
    tokenUrl: upstream.url,
    env: { token: 'T', clientId: 'ID', clientSecret: 'CLIENT', scopes: 'O' },
  };
  const error = await refusal(
    call(
      upstream.url,
      { security: [{ oauth: [] }] },
      {},
      { api: { securitySchemes: { oauth } }, settings: { env: { ID: 'id', CLIENT: 'client-secret' } } },
    ),
  );
  await upstream.close();
  expect(error.message).toContain('answered 403 (bad [redacted] of Basic [redacted]) and gave no token');
});

test('what is said of a connection that failed', async () => {
  const options = secured('head');
  const beforeRequest = (request: { url: URL }): void => {
    request.url = new URL('http://top-secret-1.invalid./');
  };
  const env = { KEY: 'top-secret-1' };
  const failing = call(
    'http://127.0.0.1:1',
    get,
    {},
    { ...options, limits: { retries: 0 }, settings: { env, beforeRequest } },
  );
  await expect(failing).rejects.toThrow('The API at http://[redacted].invalid. could not be used');
});

test('what a token endpoint says of the client secret', async () => {
  const server = await httpServer((_request, response) => {
    response.writeHead(400).end(JSON.stringify({ error: `wrong: ${SECRET}` }));
  });
  const env = { token: 'TOKEN', clientId: 'ID', clientSecret: 'KEY', scopes: 'SCOPES' };
  const oauth = { type: 'oauth2' as const, tokenUrl: `${server.url}/token`, env };
  const error = await refusal(
    call(
      server.url,
      { security: [{ oauth: [] }] },
      {},
      {
        api: { securitySchemes: { oauth } },
        settings: { env: { ID: 'me', KEY: SECRET } },
      },
    ),
  );
  await server.close();
  expect(error.message).toContain('(wrong: [redacted])');
});

test('an error whose message is read-only, such as a signal’s reason, is told without secrets too', () => {
  const cause = new DOMException(`no ${SECRET}`);
  const error = new Error(SECRET, { cause });
  expect(redactThrown(error, createRedactor([SECRET]))).toBe(error);
  expect([error.message, cause.message]).toEqual(['[redacted]', 'no [redacted]']);
});

const ofOperator = (variable: string, name: string, value: string, isJson = false) => ({
  api: { argumentVariables: { [variable]: [name] } },
  settings: { env: { [variable]: value } },
  binding: {
    ...get,
    parameters: [{ argument: name, name, in: 'query' as const }],
    known: { [name]: { env: variable, isJson } },
  },
});

const repeat = (status: number, value: string) =>
  httpServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-team': value });
    response.end(JSON.stringify({ id: 7, team: value, page: `/teams/${encodeURIComponent(value)}?page=2` }));
  });

test.each([
  ['an error does not show it', 403, 'TEAM', 'team', 'dept-77001', '[redacted]'],
  ['an answer keeps its values', 200, 'TEAM', 'team', 'dept-77001', 'dept-77001'],
  ['unless its variable is named as a secret', 200, 'TEAM_TOKEN', 'team', 'dept-77001', '[redacted]'],
  ['unless it is named as a secret itself', 200, 'TEAM', 'apiKey', 'dept-77001', '[redacted]'],
  ['five characters are an ordinary word', 403, 'TEAM', 'team', 'dept1', 'dept1'],
])('an argument from a variable: %s', async (_, status, variable, name, value, want) => {
  const upstream = await repeat(status, value);
  const { binding, ...options } = ofOperator(variable, name, value);
  const answer = await call(upstream.url, binding, {}, options);
  await upstream.close();
  expect(answer.body).toMatchObject({ value: { id: 7, team: want, page: `/teams/${want}?page=2` } });
  expect(answer.headers['x-team']).toBe(want);
});

test('the items of a list from a variable', async () => {
  const upstream = await repeat(400, 'dept-77002');
  const { binding, ...options } = ofOperator('TEAMS', 'teams', '["dept-77001", "dept-77002"]', true);
  const answer = await call(upstream.url, binding, {}, options);
  await upstream.close();
  expect(answer.body).toMatchObject({ value: { team: '[redacted]' } });
});

test.each([
  ['a page in the place of JSON', 'text/html', '<p>No dept-77001', '<p>No [redacted]'],
  ['broken JSON', 'application/json', '{"team":"dept-77001"', '{"team":"[redacted]"'],
  ['a text that was promised', 'text/plain', 'Yes dept-77001', 'Yes dept-77001'],
])('an argument from a variable, in %s', async (_, type, text, want) => {
  const upstream = await httpServer((_request, response) => {
    response.writeHead(200, { 'content-type': type });
    response.end(text);
  });
  const { binding, ...options } = ofOperator('TEAM', 'team', 'dept-77001');
  const result = { accept: ['application/json'] };
  const answer = await call(upstream.url, { ...binding, result }, {}, options);
  await upstream.close();
  expect(answer.body).toMatchObject({ kind: 'text', text: want });
});

test('an argument from a variable, in what a hook throws', async () => {
  const { binding, ...options } = ofOperator('TEAM', 'team', 'dept-77001');
  const beforeRequest = ({ url }: { url: URL }): never => {
    throw new Error(`no: ${url.search}`);
  };
  const settings = { ...options.settings, beforeRequest };
  const failing = call('http://127.0.0.1:1', binding, {}, { ...options, settings });
  await expect(failing).rejects.toThrow(new Error('no: ?team=[redacted]'));
});
