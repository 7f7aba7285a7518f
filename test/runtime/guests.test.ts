// Three throw-away features, as different as possible: the seams of the core are enough for each, and the core names none of them.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Call, Feature, Listed, MethodCall } from '../../templates/runtime/feature.ts';
import { isRecord, RpcError } from '../../templates/runtime/json-rpc.ts';
import { Session } from '../../templates/runtime/session.ts';
import { callToolByCode } from '../../templates/runtime/tools.ts';
import type { Context, ExtraTool, Outcome } from '../../templates/runtime/types.ts';
import { makeClient, makeServer, type Parts } from './core.ts';

const folder = new URL('../../templates/runtime/', import.meta.url);
const META = 'io.modelcontextprotocol/';
const modernMeta = {
  [`${META}protocolVersion`]: '2026-07-28',
  [`${META}clientCapabilities`]: { elicitation: {} },
};

async function open(parts: Parts) {
  const reported: unknown[] = [];
  const sent: { id?: unknown; method?: string; params?: Record<string, unknown> }[] = [];
  const server = makeServer(parts, reported);
  const { send, session } = makeClient(server, sent);
  let id = 0;
  const ask = async (method: string, params: object = {}): Promise<Record<string, unknown>> => {
    const answer = ((await send({ jsonrpc: '2.0', id: ++id, method, params })) ?? {}) as Record<
      string,
      unknown
    >;
    return (answer['result'] ?? answer) as Record<string, unknown>;
  };
  const clientInfo = { name: 'test', version: '1' };
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo });
  await send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return { ask, send, sent, server, session, reported };
}

const tool = (name: string, handler: ExtraTool['handler']): ExtraTool => ({
  name,
  inputSchema: { type: 'object' },
  handler,
});

// A search surface: clients list one tool, and call the others through it.

function surface(): Feature {
  const run = (call: Call): Promise<unknown> => {
    const { name, arguments: args } = call.args as { name: string; arguments?: object };
    return callToolByCode(call, name, args);
  };
  const inputSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
  const item = { name: 'call_tool', inputSchema };
  return {
    name: 'surface',
    catalog: {
      list: (list, items) => (list === 'tools' ? [item] : items),
      find: (kind, name): Listed | undefined =>
        kind === 'tool' && name === item.name ? { item, run } : undefined,
    },
  };
}

test('a guest lists other tools than can be called', async () => {
  const extraTools = [tool('hidden', (args) => `hidden got ${JSON.stringify(args)}`)];
  const { ask } = await open({ features: [surface()], handlers: { extraTools } });
  expect(await ask('tools/list')).toMatchObject({ tools: [{ name: 'call_tool' }] });
  const text = (words: string) => ({ content: [{ type: 'text', text: words }] });
  const through = { name: 'call_tool', arguments: { name: 'hidden', arguments: { a: 1 } } };
  expect(await ask('tools/call', through)).toMatchObject(text('hidden got {"a":1}'));
  expect(await ask('tools/call', { name: 'hidden', arguments: {} })).toMatchObject(text('hidden got {}'));
  expect(await ask('tools/call', { name: 'call_tool', arguments: {} })).toMatchObject({ isError: true });
  const gone = await ask('tools/call', { name: 'call_tool', arguments: { name: 'gone' } });
  expect(gone).toMatchObject({ isError: true, ...text('Unknown tool: gone') });
});

// Questions: a handler asks the client and goes on, over a session or by a second request.

interface Asking {
  ask: (question: string) => Promise<unknown>;
}

/** Ends a request of 2026-07-28, which comes again with the answers. */
class Unanswered extends RpcError {
  readonly questions: Record<string, object>;
  constructor(questions: Record<string, object>) {
    super(-32603, 'The client has not answered yet.');
    this.questions = questions;
  }
}

function questions(): Feature {
  const params = (question: string): object => ({
    mode: 'form',
    message: question,
    requestedSchema: { type: 'object', properties: {} },
  });
  const askModern = async (call: Call, question: string): Promise<unknown> => {
    const responses = call.request.params['inputResponses'];
    if (isRecord(responses) && question in responses) return responses[question];
    throw new Unanswered({ [question]: { method: 'elicitation/create', params: params(question) } });
  };
  let last = 0;
  const ask = ({ request: { session, exchange }, work }: Call, question: string): Promise<unknown> =>
    new Promise((resolve) => {
      const id = `question-${++last}`;
      session.replies.set(id, (reply) => resolve('result' in reply && reply.result));
      // A question that nobody answers must end with its call.
      work.onCancel(() => resolve({ action: 'cancel' }));
      void exchange.send({ jsonrpc: '2.0', id, method: 'elicitation/create', params: params(question) });
    });
  const goOn = async (call: MethodCall, next: (call: MethodCall) => Promise<object>): Promise<object> => {
    const { requestState, ...params } = call.params;
    try {
      return await next({ ...call, params: requestState === 'asked' ? params : call.params });
    } catch (thrown) {
      if (!(thrown instanceof Unanswered)) throw thrown;
      return { resultType: 'input_required', inputRequests: thrown.questions, requestState: 'asked' };
    }
  };
  return {
    name: 'questions',
    aroundRequest: goOn,
    context: (call): Asking => ({
      ask: (question) =>
        call.request.agreement.era === 'modern' ? askModern(call, question) : ask(call, question),
    }),
  };
}

const asking = tool('order', async (_, context: Context & Partial<Asking>) => {
  const answer = (await context.ask?.('Sure?')) as { action: string };
  return `the client says ${answer.action}`;
});

test('a handler asks the client of a session, and goes on', async () => {
  const { ask, send, sent } = await open({
    features: [questions()],
    without: ['ask'],
    handlers: { extraTools: [asking] },
  });
  const answered = ask('tools/call', { name: 'order', arguments: {} });
  await expect.poll(() => sent.find(({ method }) => method === 'elicitation/create')?.id).toBeDefined();
  const { id } = sent.find(({ method }) => method === 'elicitation/create') ?? {};
  await send({ jsonrpc: '2.0', id, result: { action: 'accept', content: {} } });
  expect(await answered).toMatchObject({ content: [{ text: 'the client says accept' }] });
});

test('a handler asks a client of 2026-07-28, and goes on in the next request', async () => {
  const { ask } = await open({
    features: [questions()],
    without: ['ask'],
    handlers: { extraTools: [asking] },
  });
  const call = { name: 'order', arguments: {}, _meta: modernMeta };
  const first = await ask('tools/call', call);
  expect(first).toMatchObject({ resultType: 'input_required', requestState: 'asked' });
  const inputResponses = { 'Sure?': { action: 'decline' } };
  const second = await ask('tools/call', { ...call, inputResponses, requestState: first['requestState'] });
  expect(second).toMatchObject({
    resultType: 'complete',
    content: [{ text: 'the client says decline' }],
  });
  const forged = await ask('tools/call', { ...call, requestState: 'forged' });
  expect(forged).toMatchObject({ error: { code: -32602 } });
});

test('a question ends with its session', async () => {
  const { ask, sent, session } = await open({
    features: [questions()],
    without: ['ask'],
    handlers: { extraTools: [asking] },
  });
  void ask('tools/call', { name: 'order', arguments: {} });
  await expect.poll(() => sent.some(({ method }) => method === 'elicitation/create')).toBe(true);
  session.end();
  await expect.poll(() => session.inFlight.size).toBe(0);
});

// The order of phases, causes, cancellation and stopping.

const noting = (name: string, phase: 'observe' | 'admit' | 'confirm', lines: string[]): Feature => ({
  name,
  aroundCall: {
    [phase]: async (call: Call, next: () => Promise<Outcome>) => {
      lines.push(`${name} ${call.name}`);
      const outcome = await next();
      lines.push(`${name} ${outcome.cause ?? 'done'}`);
      return outcome;
    },
  },
  stop: () => void lines.push(`${name} stops`),
});

test('phases run in one order, whatever the order of the features, and stop in reverse, observers last', async () => {
  const lines: string[] = [];
  const features = [
    noting('yes', 'confirm', lines),
    noting('log', 'observe', lines),
    noting('gate', 'admit', lines),
  ];
  const aroundCall = async (_: unknown, next: () => Promise<Outcome>) => {
    lines.push('person');
    return next();
  };
  const extraTools = [tool('x', () => lines.push('work'))];
  const { ask, server } = await open({ features, handlers: { aroundCall, extraTools } });
  await ask('tools/call', { name: 'x', arguments: {} });
  expect(lines.splice(0)).toEqual([
    ...['log x', 'gate x', 'person', 'yes x', 'work'],
    ...['yes done', 'gate done', 'log done'],
  ]);
  await server.close();
  expect(lines).toEqual(['gate stops', 'yes stops', 'log stops']);
});

test.each<[string, ExtraTool['handler'], object, string]>([
  ['arguments', () => 'never', { n: 'x' }, 'arguments'],
  ['a handler that throws', () => Promise.reject(new Error('broken')), { n: 1 }, 'handler'],
  ['a result that says so', () => ({ content: [], isError: true }), { n: 1 }, 'handler'],
  ['a refusal', () => Promise.reject(new RpcError(-32602, 'no')), { n: 1 }, 'refused'],
])('an observer hears why a call failed: %s', async (_, handler, args, cause) => {
  const lines: string[] = [];
  const inputSchema = { type: 'object', properties: { n: { type: 'integer' } } };
  const extraTools = [{ ...tool('x', handler), inputSchema }];
  const { ask } = await open({ features: [noting('log', 'observe', lines)], handlers: { extraTools } });
  await ask('tools/call', { name: 'x', arguments: args });
  expect(lines).toEqual(['log x', `log ${cause}`]);
});

test('a cancelled call ends for its guests at once, though its handler goes on', async () => {
  const lines: string[] = [];
  const extraTools = [tool('x', () => new Promise(() => undefined))];
  const { ask, send } = await open({ features: [noting('log', 'observe', lines)], handlers: { extraTools } });
  void ask('tools/call', { name: 'x', arguments: {} });
  await expect.poll(() => lines).toEqual(['log x']);
  await send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } });
  await expect.poll(() => lines).toEqual(['log x', 'log cancelled']);
});

test('a server does not start without a feature that its bindings require, nor with a variable that one would read', () => {
  const start = (bindings: object, env: Record<string, string> = {}) =>
    makeServer({ bindings, env, features: [surface()] }, []);
  expect(() => start({ requires: ['surface'] })).not.toThrow();
  expect(() => start({ requires: ['oauth'] })).toThrow(/lacks the feature oauth/);
  const refuses = { MCP_AUTH_ISSUER: 'oauth', MCP_SURFACE: 'surface' };
  expect(() => start({ refuses }, { MCP_SURFACE: 'x' })).not.toThrow();
  expect(() => start({ refuses }, { MCP_AUTH_ISSUER: 'x' })).toThrow(/generate --feature oauth/);
});

test('no module of the core imports a feature, and a session is no place for one', () => {
  const modules = readdirSync(folder).filter((file) => file.endsWith('.ts'));
  for (const file of modules)
    expect(readFileSync(new URL(file, folder), 'utf8'), file).not.toMatch(/from '\.\/features\//);
  const members = [
    'agreement',
    'caller',
    'client',
    'hasEnded',
    'id',
    'inFlight',
    'isReady',
    'logLevel',
    'push',
    'replies',
    'stream',
    'usedAt',
  ];
  expect(Object.keys(new Session()).sort()).toEqual(members);
});
