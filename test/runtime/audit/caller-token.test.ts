// The token of a caller, wherever its client puts it: neither the audit log nor an answer shows it.
import { allFeatures } from '../../../templates/runtime/all-features.ts';
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Audit } from '../../../templates/runtime/core/call.ts';
import { createServer, type ServerInstance } from '../../../templates/runtime/core/server-instance.ts';
import { DEFAULT_LIMITS } from '../../../templates/runtime/contract/feature.ts';
import { newCatalog } from '../core/harness.ts';
import { openAudit } from '../../../templates/runtime/audit/open-audit.ts';
import { initialize, startGuarded } from '../oauth/guarded.ts';
import { startIssuer } from '../oauth/issuer.ts';
import { modernCall } from '../oauth/modern-call.ts';

const percent = (text: string): string =>
  [...text].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('');

const escaped = (text: string): string =>
  [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

const execution = { taskSupport: 'optional' } as const;
const inputSchema = { type: 'object' as const, additionalProperties: false, properties: { q: {} } };

function projectOf(audit?: Audit): ServerInstance {
  const runtime = () => import('../../../templates/runtime/oauth/index.ts');
  return createServer({
    definition: {
      info: { name: 'test', version: '1' },
      features: allFeatures,
      handlers: { extraTools: [{ name: 'good', inputSchema, execution, handler: () => 'done' }] },
      auth: { runtime },
    },
    catalog: newCatalog({ resources: [{ uri: 'x://there', name: 'there' }] }),
    readBindings: () => '{"tools":{}}',
    env: {},
    limits: DEFAULT_LIMITS,
    report: () => undefined,
    ...(audit === undefined ? {} : { audit }),
  });
}

test.each([true, false])('the audit log, with values: %j', async (full) => {
  let written = '';
  const stderr = new Writable({
    write: (chunk, _, done) => {
      written += String(chunk);
      done();
    },
  });
  const report = (): void => undefined;
  const { audit, flush } = await openAudit({ to: 'stderr', full }, 'test', { env: {}, stderr, report });
  const issuer = await startIssuer();
  const server = await startGuarded(issuer, { server: projectOf(audit) });
  const token = await issuer.token();
  const headers = { authorization: `Bearer ${token}` };
  const [first, second] = [token.slice(0, token.length / 2), token.slice(token.length / 2)];
  const calls: [name: string, args: object][] = [
    [token, {}],
    [percent(token), {}],
    ['good', { [token]: 1 }],
    ['good', { [percent(token)]: 1 }],
    ['good', { q: token }],
    ['good', { q: percent(token) }],
    ['good', { q: percent(percent(token)) }],
    ['good', { [first]: second }],
    ['good', { q: [first, second], [second]: 1 }],
    ['good', { q: escaped(token), r: escaped(first), s: escaped(second) }],
  ];
  let answered = '';
  for (const [name, args] of calls) answered += (await server.post(...modernCall(name, headers, args))).text;
  await flush();
  expect(written.trim().split('\n')).toHaveLength(calls.length);
  expect([written, answered].map(decodeURIComponent).map(decodeURIComponent).join()).not.toContain(token);
  for (const half of [first, second, escaped(first).slice(0, 40), Buffer.from(token).toString('base64')])
    expect(written).not.toContain(half);
  expect(written).toContain('"tool":"[redacted]"');
  expect(answered).toContain('Unknown tool: [redacted]');
});

test('what an answer says back of a resource that is not there', async () => {
  const issuer = await startIssuer();
  const server = await startGuarded(issuer, { server: projectOf() });
  const token = await issuer.token();
  const { text } = await server.post(
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'resources/read',
      params: {
        uri: `x://${percent(token)}`,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
    {
      authorization: `Bearer ${token}`,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'resources/read',
      'mcp-name': `x://${percent(token)}`,
    },
  );
  expect(text).toContain('x://[redacted]');
  expect(decodeURIComponent(text)).not.toContain(token);
});

test('what a task says back of arguments that do not fit', async () => {
  const issuer = await startIssuer();
  const server = await startGuarded(issuer, { server: projectOf() });
  const token = await issuer.token();
  const bearer = { authorization: `Bearer ${token}` };
  const { headers } = await server.post(initialize, bearer);
  const session = { ...bearer, 'mcp-session-id': String(headers['mcp-session-id']) };
  const ask = async (method: string, params: object): Promise<string> =>
    (await server.post({ jsonrpc: '2.0', id: 1, method, params }, session)).text;
  const created = await ask('tools/call', { name: 'good', arguments: { [token]: 1 }, task: {} });
  const [, taskId] = /"taskId":"([^"]+)"/.exec(created) ?? [];
  const text = await ask('tasks/result', { taskId });
  expect(text).toContain('[redacted]');
  expect(text).not.toContain(token);
});
