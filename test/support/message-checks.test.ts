// The judge of messages must be able to say no: one wrong message of each kind.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkMessage, MODERN_REVISION } from './message-checks.ts';
import { RevisionSchemas } from './revision-schemas.ts';

const answer = (result: object) => ({ jsonrpc: '2.0', id: 1, result });
const notify = (method: string, params?: object) => ({ jsonrpc: '2.0', method, ...(params && { params }) });
const ask = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params });
const textBlock = { type: 'text', text: 'x' };
const modern = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

const LEGACY = '2025-11-25';

test.each<[string, string, object, string?]>([
  ['a result', LEGACY, answer({ content: [textBlock] }), 'tools/call'],
  ['an empty result', LEGACY, answer({}), 'ping'],
  ['a task', LEGACY, answer({ task: task() }), 'tools/call'],
  ['a notification', LEGACY, notify('notifications/progress', { progressToken: 1, progress: 1 })],
  ['a request', LEGACY, ask('roots/list', {})],
  ['an error without id', '2024-11-05', { jsonrpc: '2.0', error: { code: 1, message: '' } }],
  ['a modern result', MODERN_REVISION, answer({ ...modern, tools: [] }), 'tools/list'],
  [
    'a modern question',
    MODERN_REVISION,
    answer({ resultType: 'input_required', inputRequests: { a: { method: 'roots/list' } } }),
    'tools/call',
  ],
  ['a modern task', MODERN_REVISION, answer({ resultType: 'task', taskId: 't' }), 'tools/call'],
])('%s passes', (_, revision, message, requestMethod) => {
  expect(() => checkMessage({ revision, message, requestMethod })).not.toThrow();
});

test.each<[string, string, unknown, string, string?]>([
  ['no object', LEGACY, [], 'A message is an object.'],
  ['no version', LEGACY, { id: 1, result: {} }, 'Not a JSONRPCMessage'],
  ['a member too many', LEGACY, { ...answer({}), origin: 'work' }, 'Not a JSONRPCMessage', 'ping'],
  [
    'a null id',
    LEGACY,
    { jsonrpc: '2.0', id: null, error: { code: 1, message: '' } },
    'Not a JSONRPCMessage',
  ],
  ['a code that is no integer', LEGACY, { jsonrpc: '2.0', id: 1, error: { code: 1.5, message: '' } }, 'code'],
  [
    'a result of another kind',
    LEGACY,
    answer({}),
    'Not a ListToolsResult of 2025-11-25: tools',
    'tools/list',
  ],
  ['a result that is not empty', LEGACY, answer({ x: 1 }), 'Not a EmptyResult', 'ping'],
  ['a result of nothing', LEGACY, answer({}), 'This answers no request'],
  ['a result of an unknown method', LEGACY, answer({}), 'no schema is known for no/such', 'no/such'],
  ['an unknown notification', LEGACY, notify('notifications/x'), 'no schema is known for notifications/x'],
  [
    'a notification without its members',
    LEGACY,
    notify('notifications/progress', {}),
    'ProgressNotification',
  ],
  ['a request without its members', LEGACY, ask('elicitation/create', {}), 'Not a ElicitRequest'],
  ['a task without its members', LEGACY, answer({ task: {} }), 'Not a CreateTaskResult', 'tools/call'],
  ['a modern request', MODERN_REVISION, ask('roots/list', {}), 'sends no requests, but sent roots/list'],
  ['a modern result without type', MODERN_REVISION, answer({ tools: [] }), 'resultType', 'tools/list'],
  [
    'a modern question of an unknown kind',
    MODERN_REVISION,
    answer({ resultType: 'input_required', inputRequests: { a: { method: 'no/such' } } }),
    'no schema is known for no/such',
    'tools/call',
  ],
  [
    'a modern question without its members',
    MODERN_REVISION,
    answer({ resultType: 'input_required', inputRequests: { a: { method: 'elicitation/create' } } }),
    'Not a ElicitRequest',
    'tools/call',
  ],
])('%s does not pass', (_, revision, message, words, requestMethod) => {
  expect(() => checkMessage({ revision, message, requestMethod })).toThrow(words);
});

function task(): object {
  const at = '2026-01-01T00:00:00Z';
  return { taskId: 't', status: 'working', createdAt: at, lastUpdatedAt: at, ttl: null };
}

test('the schemas of a folder are read by their own dialect', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcpgen-schemas-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const definitions = { A: { type: 'array', items: [{ type: 'string' }] }, B: { format: 'byte' } };
  const old = { $schema: 'http://json-schema.org/draft-07/schema#', definitions };
  const $defs = { A: { type: 'array', prefixItems: [{ type: 'string' }] }, B: { format: 'byte' } };
  const recent = { $schema: 'https://json-schema.org/draft/2020-12/schema', $defs };
  writeFileSync(join(folder, 'old.json'), JSON.stringify(old));
  writeFileSync(join(folder, 'recent.json'), JSON.stringify(recent));
  const schemas = new RevisionSchemas(folder);
  for (const revision of ['old', 'recent']) {
    expect(schemas.complaint(revision, 'A', ['x'])).toBeUndefined();
    expect(schemas.complaint(revision, 'A', [1])).toBe('A/0 must be string');
    expect(schemas.complaint(revision, 'B', 'YQ==')).toBeUndefined();
    expect(schemas.complaint(revision, 'B', 'a-b')).toBe('B must match format "byte"');
    expect(schemas.complaint(revision, 'C', 1)).toBe(`${revision} knows no C`);
  }
  expect(() => schemas.complaint('none', 'A', 1)).toThrow('ENOENT');
});
