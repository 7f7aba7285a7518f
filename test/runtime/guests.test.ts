// The seams of features: phases, causes, cancellation and stopping. The core names no feature.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Call, Feature } from '../../templates/runtime/feature.ts';
import { RpcError } from '../../templates/runtime/json-rpc.ts';
import { Session } from '../../templates/runtime/session.ts';
import type { ExtraTool, Outcome } from '../../templates/runtime/types.ts';
import { openServer } from './harness.ts';

const folder = new URL('../../templates/runtime/', import.meta.url);

const tool = (name: string, handler: ExtraTool['handler']): ExtraTool => ({
  name,
  inputSchema: { type: 'object' },
  handler,
});

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
  const { ask, server } = await openServer({ features, handlers: { aroundCall, extraTools } });
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
  const { ask } = await openServer({ features: [noting('log', 'observe', lines)], handlers: { extraTools } });
  await ask('tools/call', { name: 'x', arguments: args });
  expect(lines).toEqual(['log x', `log ${cause}`]);
});

test('a cancelled call ends for its guests at once, though its handler goes on', async () => {
  const lines: string[] = [];
  const extraTools = [tool('x', () => new Promise(() => undefined))];
  const features = [noting('log', 'observe', lines)];
  const { send } = await openServer({ features, handlers: { extraTools } });
  void send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'x', arguments: {} } });
  await expect.poll(() => lines).toEqual(['log x']);
  await send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } });
  await expect.poll(() => lines).toEqual(['log x', 'log cancelled']);
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
