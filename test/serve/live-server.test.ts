/** Versions of a server that replace one another while a client is connected: messages in and out. */
import { expect, test } from 'vitest';
import { LiveServer } from '../../src/serve/live-server.ts';
import { ask } from '../../templates/runtime/features/ask/index.ts';
import { changes } from '../../templates/runtime/features/changes.ts';
import type { FunctionBinding } from '../../templates/runtime/features/functions/binding.ts';
import { functions } from '../../templates/runtime/features/functions/index.ts';
import type { ServerDefinition } from '../../templates/runtime/feature.ts';
import type { Context } from '../../templates/runtime/types.ts';
import { gate, meta } from '../runtime/client.ts';
import { makeClient } from '../runtime/core.ts';

interface Reply {
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

const MODULE = 'app/tools.ts';

/** A version whose tools are these functions. */
function define(tools: object, bindings: Record<string, Partial<FunctionBinding>> = {}): ServerDefinition {
  const names = Object.keys(tools);
  const bound = names.map((name) => {
    const binding = { kind: 'function', module: MODULE, export: name, parameters: [], ...bindings[name] };
    return [name, { do: binding }];
  });
  const lists = { resources: [], resourceTemplates: [], prompts: [] };
  const listed = names.map((name) => ({ name, inputSchema: { type: 'object' } }));
  return {
    info: { name: 'live', version: '1' },
    generated: {
      'catalog.json': JSON.stringify({ tools: listed, ...lists }),
      'bindings.json': JSON.stringify({
        tools: Object.fromEntries(bound) as object,
        ...{ resources: {}, resourceTemplates: {}, prompts: {}, completions: [] },
      }),
    },
    features: [functions({ [MODULE]: () => Promise.resolve(tools) }), ask(), changes()],
  };
}

async function open(definition: ServerDefinition) {
  const reported: unknown[] = [];
  const sent: { method?: string }[] = [];
  const options = { env: {}, report: (thrown: unknown) => void reported.push(thrown) };
  const server = new LiveServer(definition, options, () => undefined);
  await server.start();
  const { send, session } = makeClient(server, sent);
  let id = 0;
  const request = async (method: string, params: object = {}): Promise<Reply> =>
    (await send({ jsonrpc: '2.0', id: ++id, method, params })) as Reply;
  const clientInfo = { name: 'client', version: '0' };
  const opening = await request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo,
  });
  await send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  const call = async (name: string): Promise<unknown> =>
    (await request('tools/call', { name, arguments: {} })).result?.['content'];
  return {
    server,
    session,
    request,
    call,
    opening,
    reported,
    methods: () => sent.map(({ method }) => method),
  };
}

const text = (words: string): object[] => [{ type: 'text', text: words }];

test('a call ends on the version that it began on, which ends after it', async () => {
  const going = gate();
  const ended: string[] = [];
  class Held {
    async wait(): Promise<string> {
      await going.opened;
      return 'first';
    }

    [Symbol.dispose](): void {
      ended.push('disposed');
    }
  }
  const instance = { method: 'wait', instance: 'session' as const };
  const { server, call, methods } = await open(define({ Held }, { Held: instance }));
  const waiting = call('Held');
  await new Promise(setImmediate);
  expect(await server.replace(define({ Held: () => 'second', more: () => 'more' }))).toEqual(['tools']);
  expect(methods()).toEqual(['notifications/tools/list_changed']);
  expect(await call('Held')).toEqual(text('second'));
  expect(ended).toEqual([]);
  going.open();
  expect(await waiting).toEqual(text('first'));
  await expect.poll(() => ended).toEqual(['disposed']);
  await server.close();
});

test('subscriptions of 2026-07-28 hear of later versions, and end with the server', async () => {
  const { server, request, methods } = await open(define({ f: () => 'one' }));
  await server.replace(define({ f: () => 'two' }));
  const listening = request('subscriptions/listen', {
    _meta: meta,
    notifications: { toolsListChanged: true },
  });
  await new Promise(setImmediate);
  await server.replace(define({ g: () => 'three' }));
  const heard = methods().filter((method) => method === 'notifications/tools/list_changed');
  // Its session and its subscription.
  expect(heard).toHaveLength(2);
  server.beginStopping();
  expect((await listening).result).toBeDefined();
});

test('questions of one version are answered on the next (2026-07-28)', async () => {
  const form = { day: { type: 'string' } } as const;
  const question = async ({ elicit }: Context): Promise<string> => (await elicit('When?', form)).action;
  const binding = { f: { contextAt: 0 } };
  const { server, request } = await open(define({ f: question }, binding));
  const capable = { ...meta, 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } };
  const params = { _meta: capable, name: 'f', arguments: {} };
  const asked = (await request('tools/call', params)).result;
  expect(asked).toMatchObject({ resultType: 'input_required' });
  await server.replace(define({ f: question, more: () => 'more' }, binding));
  const [key = ''] = Object.keys(asked?.['inputRequests'] ?? {});
  const answers = { requestState: asked?.['requestState'], inputResponses: { [key]: { action: 'decline' } } };
  expect((await request('tools/call', { ...params, ...answers })).result).toMatchObject({
    content: text('decline'),
  });
});
