// Messages that the runtime should never send are seen, wherever the core sends them.
import { expect, test } from 'vitest';
import type { Context } from '../../templates/runtime/definition.ts';
import { hello, newServer, openServer } from '../runtime/core/harness.ts';
import { takeComplaints } from './complaints.ts';

const unnamed = { inputSchema: { type: 'object' } } as never;

test('a wrong answer', async () => {
  const server = await openServer({ catalog: { tools: [unnamed] } });
  await server.ask('tools/list');
  expect(takeComplaints()).toEqual([expect.stringContaining('Not a ListToolsResult of 2025-11-25')]);
});

test('a wrong answer in a batch', async () => {
  const server = await openServer({ catalog: { tools: [unnamed] } }, '2025-03-26');
  await server.send([
    { jsonrpc: '2.0', id: 'a', method: 'ping' },
    { jsonrpc: '2.0', id: 'b', method: 'tools/list' },
  ]);
  expect(takeComplaints()).toEqual([expect.stringContaining('Not a ListToolsResult of 2025-03-26')]);
});

test('a wrong message ahead of the answer', async () => {
  const handler = (_: object, { log }: Context) => log('info', 'x', 7 as never);
  const extraTools = [{ name: 'x', inputSchema: { type: 'object' as const }, handler }];
  const server = await openServer({ handlers: { extraTools } });
  await server.ask('tools/call', { name: 'x' });
  expect(takeComplaints()).toEqual([expect.stringContaining('Not a LoggingMessageNotification')]);
});

test('a wrong answer to initialize', async () => {
  const server = newServer({ info: { name: 'x' } as never });
  await server.ask('initialize', hello('2024-11-05'));
  expect(takeComplaints()).toEqual([expect.stringContaining('Not a InitializeResult of 2024-11-05')]);
});

test('a wrong message that belongs to no request', async () => {
  const server = await openServer();
  server.session.push({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: {} });
  expect(takeComplaints()).toEqual([
    expect.stringContaining('Not a ResourceUpdatedNotification of 2025-11-25'),
  ]);
});

test('a wrong modern answer', async () => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  await newServer({ catalog: { tools: [unnamed] } }).ask('tools/list', { _meta: meta });
  expect(takeComplaints()).toEqual([expect.stringContaining('Not a ListToolsResult of 2026-07-28')]);
});
