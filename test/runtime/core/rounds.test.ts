/** A handler that asks, in the era without sessions: it is run again with the answers. */
import { expect, test } from 'vitest';
import type { Context, ExtraTool } from '../../../templates/runtime/types.ts';
import { newServer, type Reply, type TestServer } from '../harness.ts';

const FORM: Parameters<Context['elicit']>[1] = {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
};
const ADA = { action: 'accept', content: { name: 'Ada' } };

interface Options {
  capabilities?: object;
  env?: Record<string, string>;
}

function serverFor(handler: (context: Context) => unknown, { env = {} }: Options = {}): TestServer {
  const tool: ExtraTool = {
    name: 'x',
    inputSchema: { type: 'object' },
    handler: (_args, context) => handler(context),
  };
  return newServer({ handlers: { extraTools: [tool] }, env });
}

const EVERYTHING = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };

async function call(
  server: TestServer,
  params: object = {},
  capabilities: object = EVERYTHING,
): Promise<Reply> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  return server.ask('tools/call', { name: 'x', arguments: {}, ...params, _meta });
}

/** Members that a client sends with its answers. */
function retry({ result = {} }: Reply, inputResponses: object): object {
  return { inputResponses, requestState: result['requestState'] };
}

const textOf = ({ result }: Reply): unknown => Reflect.get(result?.['content'] ?? {}, 0)?.['text'];

test('what is remembered is done once, and a run is not left in the midst of it', async () => {
  const done: string[] = [];
  const server = serverFor(async ({ elicit, remember }) => {
    const order = remember('order', async () => {
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
      return `order ${done.push('placed')}`;
    });
    const [id, { content }] = await Promise.all([order, elicit('Who?', FORM)]);
    return `${id} ${String(content?.['name'])}`;
  });
  const first = await call(server);
  expect(done).toEqual(['placed']);
  expect(textOf(await call(server, retry(first, { 'ask-1': ADA })))).toBe('order 1 Ada');
  expect(done).toEqual(['placed']);
});

test('the signal of a run that is left is aborted, and it says nothing more', async () => {
  let left: AbortSignal | undefined;
  let log: Context['log'] | undefined;
  const server = serverFor(async (context) => {
    ({ signal: left, log } = context);
    await context.elicit('Who?', FORM);
  });
  await call(server);
  expect(left?.aborted).toBe(true);
  await log?.('emergency', 'too late');
  expect(server.sent).toEqual([]);
});

test('a handler may do without what is not declared', async () => {
  const server = serverFor(async ({ elicit }) => elicit('Who?', FORM).catch(() => 'nobody'));
  expect(textOf(await call(server, {}, {}))).toBe('nobody');
});

test('two questions with one key are a fault of the handler', async () => {
  const server = serverFor(async ({ elicit }) =>
    Promise.all([elicit('One?', FORM, { key: 'k' }), elicit('Two?', FORM, { key: 'k' })]),
  );
  const reply = await call(server, retry(await call(server), { k: ADA }));
  expect(reply.result?.['isError']).toBe(true);
  expect(textOf(reply)).toContain('have the key "k"');
});

test('the type of a result is not for a handler to say', async () => {
  const server = serverFor(() => ({ content: [], resultType: 'input_required', requestState: 'x' }));
  const { result = {} } = await call(server);
  expect(Object.keys(result).sort()).toEqual(['_meta', 'content', 'resultType']);
  expect(result['resultType']).toBe('complete');
});
