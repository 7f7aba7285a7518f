/** `tools` of the configuration at a call: what the API is sent, how long it is waited for, and when the user is asked. */
import { expect, onTestFinished, test } from 'vitest';
import type { ToolRules } from '../../src/config/options/option-types.ts';
import { serveDocument } from './serve-document.ts';

const responses = { 200: { description: 'x' } };
const document = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://pets.example.com' }],
  paths: {
    '/pets': { get: { operationId: 'listPets', responses }, delete: { operationId: 'clear', responses } },
    '/state': { get: { operationId: 'state', responses } },
  },
};

async function serve(
  tools: Record<string, ToolRules>,
  {
    headers,
    answer,
    ...parts
  }: Parameters<typeof serveDocument>[2] & {
    headers?: Record<string, string>;
    answer?: Parameters<typeof serveDocument>[1];
  } = {},
) {
  const options = { tools, ...(headers && { headers }) };
  const served = await serveDocument(document, answer, { ...parts, options });
  onTestFinished(() => served.close());
  return served;
}

test('headers are those of one tool alone, and replace those of all', async () => {
  const { call } = await serve(
    { listPets: { headers: { 'X-Tenant': 'south', 'X-Signed-By': '${SIGNER}' } } },
    { headers: { 'X-Tenant': 'north' }, env: { SIGNER: 'ann-the-signer' } },
  );
  const [own = ''] = (await call('listPets', {})).sent;
  expect(own).toMatch(/^x-tenant: south$/im);
  expect(own).toMatch(/^x-signed-by: ann-the-signer$/im);
  const [other = ''] = (await call('state', {})).sent;
  expect(other).toMatch(/^x-tenant: north$/im);
  expect(other).not.toMatch(/signed/i);
});

/** A tool's header parameter `x-tenant`, required; what is listed of it, and sent without an argument and with one. */
test.each<
  [what: string, rules: ToolRules, operation: object, listed: string[], sent: (string | undefined)[]]
>([
  ['of all requests', {}, {}, [], ['north', undefined]],
  ['of the tool', { headers: { 'X-TENANT': 'south' } }, {}, [], ['south', undefined]],
  [
    'unless a rule of the tool keeps it',
    { arguments: { 'x-tenant': { description: 'X' } } },
    {},
    ['x-tenant'],
    [undefined, 'mine'],
  ],
  [
    'unless a rule has its value',
    { arguments: { 'x-tenant': { const: 'west' } } },
    {},
    [],
    ['west', undefined],
  ],
  ['not at another host', {}, { servers: [{ url: 'https://b.test' }] }, ['x-tenant'], [undefined, 'north']],
])('a header of the configuration is no argument: %s', async (_, rules, operation, listed, want) => {
  const parameters = [{ name: 'x-tenant', in: 'header', required: true, schema: { type: 'string' } }];
  const get = { operationId: 'state', parameters, responses, ...operation };
  const options = { headers: { 'X-Tenant': 'north' }, tools: { state: rules } };
  const served = await serveDocument({ ...document, paths: { '/state': { get } } }, undefined, { options });
  onTestFinished(() => served.close());
  expect(Object.keys(served.tools[0]?.inputSchema.properties ?? {})).toEqual(listed);
  const calls = [await served.call('state', {}), await served.call('state', { 'x-tenant': 'mine' })];
  expect(calls.map(({ sent }) => /^x-tenant: (.*)$/im.exec(sent[0] ?? '')?.[1])).toEqual(want);
});

test('a header without its variable is not sent without it, and its value is redacted', async () => {
  const rules = { listPets: { headers: { 'X-Signed-By': '${SIGNER}' } } };
  const { call } = await serve(rules, { env: {} });
  const { sent, words } = await call('listPets', {});
  expect(sent).toEqual([]);
  expect(words).toContain('the header X-Signed-By needs SIGNER');
  const body = '{"by":"ann-the-signer"}';
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  const telling = await serve(rules, { env: { SIGNER: 'ann-the-signer' }, answer: () => head + body });
  expect((await telling.call('listPets', {})).words).toBe('{"by":"[redacted]"}');
});

test('a timeout is for one tool, and says no variable that would not help', async () => {
  const late: Parameters<typeof serveDocument>[1] = (_received, socket) => {
    setTimeout(() => socket.write('HTTP/1.1 204 No Content\r\n\r\n'), 150);
    return undefined;
  };
  const hurried = await serve({ listPets: { timeout: 50 } }, { answer: late });
  const refused = await hurried.call('listPets', {});
  expect(refused.words).toContain('The API did not answer within 0.05 seconds.');
  expect((await hurried.call('state', {})).isError).toBe(false);
  const patient = await serve(
    { listPets: { timeout: 5_000 } },
    { answer: late, env: { API_TIMEOUT_MS: '50' } },
  );
  expect((await patient.call('listPets', {})).isError).toBe(false);
  expect((await patient.call('state', {})).words).toContain('(API_TIMEOUT_MS)');
});

test.each<[string, string, ToolRules, boolean]>([
  ['always, of a tool that reads', 'state', { confirm: 'always' }, true],
  ['destructive, of a tool that reads', 'state', { confirm: 'destructive' }, false],
  ['destructive, of one that deletes', 'clear', { confirm: 'destructive' }, true],
])('confirm: %s', async (_, name, rules, isAsked) => {
  const { call } = await serve({ [name]: rules }, { userAnswers: [true, false] });
  const yes = await call(name, {});
  expect([yes.asked.length, yes.sent.length]).toEqual([isAsked ? 1 : 0, 1]);
  const no = await call(name, {});
  expect(no.sent).toHaveLength(isAsked ? 0 : 1);
  const other = await call('listPets', {});
  expect([other.asked, other.sent.length]).toEqual([[], 1]);
});

test('a client that can not ask is refused, also by the resource that the tool reads', async () => {
  const content = { 'application/json': { schema: { type: 'object' } } };
  const get = { operationId: 'state', responses: { 200: { description: 'x', content } } };
  const served = await serveDocument({ ...document, paths: { '/state': { get } } }, undefined, {
    options: { tools: { state: { confirm: 'always' } } },
  });
  onTestFinished(() => served.close());
  expect((await served.call('state', {})).words).toContain('asks its user before this tool runs');
  expect(JSON.stringify(await served.read('pets://state'))).toContain('asks its user before this tool runs');
});
