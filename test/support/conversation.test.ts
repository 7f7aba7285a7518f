// Messages on a wire are judged by the requests on it.
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { takeComplaints } from './complaints.ts';
import { Conversation, judged, judgeLines } from './conversation.ts';

const request = (id: number, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params });
const answer = (id: number, result: object) => ({ jsonrpc: '2.0', id, result });
const welcome = (protocolVersion: string) => ({
  protocolVersion,
  capabilities: {},
  serverInfo: { name: 's', version: '1' },
});
const modern = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };

test('a legacy answer is judged by its request and the revision agreed on', () => {
  const conversation = new Conversation();
  conversation.fromClient([request(1, 'initialize'), request(2, 'tools/list'), request(3, 'tools/list')]);
  conversation.fromServer([answer(1, welcome('2024-11-05')), answer(2, { tools: [] })]);
  expect(takeComplaints()).toEqual([]);
  conversation.fromServer(answer(3, {}));
  expect(takeComplaints()).toEqual([expect.stringContaining('Not a ListToolsResult of 2024-11-05')]);
});

test('a modern answer is judged by what its request named', () => {
  const conversation = new Conversation();
  conversation.fromClient(request(1, 'tools/list', modern));
  conversation.fromServer(answer(1, { tools: [] }));
  expect(takeComplaints()).toEqual([expect.stringContaining('resultType')]);
  conversation.fromServer({ jsonrpc: '2.0', method: 'notifications/x' });
  expect(takeComplaints()).toEqual([expect.stringContaining('no schema is known for notifications/x')]);
});

test('before anything is agreed on the envelope is judged', () => {
  new Conversation().fromServer({ jsonrpc: '2.0', error: { code: -32700, message: 'x' } });
  expect(takeComplaints()).toEqual([]);
  new Conversation().fromServer({ error: { code: -32700, message: 'x' } });
  expect(takeComplaints()).toEqual([expect.stringContaining('Not a JSONRPCMessage')]);
});

test('a transport of a client is listened to', async () => {
  const sent: unknown[] = [];
  const transport: { onmessage?: (message: unknown) => void; send: (message: object) => Promise<void> } =
    judged({
      send: async (message: object) => void sent.push(message),
    });
  await transport.send(request(1, 'ping'));
  transport.onmessage?.(answer(1, { more: 1 }));
  expect(sent).toEqual([request(1, 'ping')]);
  expect(takeComplaints()).toEqual([]);
  await transport.send(request(2, 'initialize'));
  transport.onmessage?.(answer(2, { protocolVersion: '2025-11-25' }));
  expect(takeComplaints()).toEqual([expect.stringContaining('Not a InitializeResult')]);
});

test('lines are listened to, in pieces too', async () => {
  const [stdin, stdout] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })];
  judgeLines({ stdin, stdout });
  stdin.write(`${JSON.stringify(request(1, 'initialize'))}\n`);
  stdin.end(`${JSON.stringify(request(2, 'ping'))}\n`);
  stdout.write(`help\n${JSON.stringify(answer(1, welcome('2025-11-25')))}\n{"jsonrpc":"2.0",`);
  stdout.end(`"id":2,"result":{"more":1}}`);
  await new Promise((resolve) => stdout.once('end', resolve));
  expect(takeComplaints()).toEqual([expect.stringContaining('Not a EmptyResult of 2025-11-25')]);
  expect(String(stdin.read())).toContain('initialize');
});
