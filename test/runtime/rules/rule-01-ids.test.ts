// Rule 1: the ids of requests, what is answered, and what an answer is.
import { expect, test } from 'vitest';
import { RpcError } from '../../../templates/runtime/json-rpc.ts';
import {
  answered,
  done,
  failure,
  held,
  isHttp,
  isModern,
  LEGACY_LINES,
  LINES,
  open,
  type Options,
  refused,
} from './lines.ts';

const NO_IDS = [null, 1.5, true, false, {}, [], [1]];

test.each(LINES)('$transport, $revision: an id is a string or an integer', async (line) => {
  const { request, ask, ran, silence } = await open(line);
  const want = {
    status: refused(line),
    reply: failure(-32600, '`id` must be a string of 1000 characters at most, or an integer up to ±2^53.'),
  };
  for (const id of NO_IDS) expect(await ask(request(id, 'tools/call', { name: 'x' }))).toEqual(want);
  expect([await silence(), ran()]).toEqual([NO_IDS.map(() => want.reply), 0]);
});

const IDS = ['x', '', '7', 'é\u2028', 0, 7, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];

test.each(LINES)('$transport, $revision: an answer carries the id of its request', async (line) => {
  const { request, ask, ran } = await open(line);
  const notFound = line.transport === 'http' && isModern(line) ? 404 : answered(line);
  for (const id of IDS) {
    const { status, reply } = await ask(request(id, 'tools/call', { name: 'x' }));
    expect([status, reply]).toEqual([
      answered(line),
      { jsonrpc: '2.0', id, result: expect.objectContaining(done) as object },
    ]);
    expect(await ask(request(id, 'no/such'))).toEqual({
      status: notFound,
      reply: failure(-32601, 'Unknown method: no/such', id),
    });
  }
  expect(ran()).toBe(IDS.length);
});

test.each(LINES)('$transport, $revision: a refused message is answered under its id', async (line) => {
  const { request, ask, ran } = await open(line);
  const call = request(7, 'tools/call', { name: 'x' });
  const rows: [object, string][] = [
    [{ ...call, jsonrpc: '1.0' }, '`jsonrpc` must be "2.0".'],
    [{ ...call, jsonrpc: undefined }, '`jsonrpc` must be "2.0".'],
    [{ ...call, method: 1 }, '`method` must be a string.'],
    [{ ...call, method: undefined }, '`method` must be a string.'],
    [{ ...call, params: [] }, '`params` must be an object.'],
    [{ ...call, params: null }, '`params` must be an object.'],
    [{ ...call, params: 'x' }, '`params` must be an object.'],
  ];
  for (const [message, words] of rows)
    expect(await ask(message)).toEqual({ status: refused(line), reply: failure(-32600, words, 7) });
  expect(ran()).toBe(0);
});

test.each(LINES)('$transport, $revision: a notification is never answered', async (line) => {
  const { tell, silence, request, ran, reported } = await open(line);
  const notifications = [
    { jsonrpc: '2.0', method: 'notifications/none' },
    { jsonrpc: '2.0', method: 'notifications/cancelled' },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'no/such', params: { a: 1 } },
    { ...request(7, 'tools/call', { name: 'x' }), id: undefined },
    { ...request(7, 'tools/list'), id: undefined },
  ];
  for (const each of notifications) expect(await tell(each)).toBe(isHttp(line) ? 202 : undefined);
  expect([await silence(), ran(), reported]).toEqual([[], 0, []]);
});

test.each(LEGACY_LINES)('$transport, $revision: nor is a response', async (line) => {
  const { tell, silence, ran, reported } = await open(line);
  const responses = [
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: 1, error: { code: 1, message: '' } },
    { jsonrpc: '2.0', error: { code: 1, message: '' } },
    { jsonrpc: '2.0', id: null, error: { code: 1, message: '' } },
  ];
  for (const each of responses) expect(await tell(each)).toBe(isHttp(line) ? 202 : undefined);
  expect([await silence(), ran(), reported]).toEqual([[], 0, []]);
});

const ODD_RESPONSES: [string, object][] = [
  ['both', { result: { roots: [] }, error: { code: 1, message: 'x' } }],
  ['neither', {}],
  ['a result that is a list', { result: [] }],
  ['a result that is a text', { result: 'x' }],
  ['a code that is a fraction', { error: { code: 1.5, message: 'x' } }],
  ['a code that is a text', { error: { code: '1', message: 'x' } }],
  ['an error without code', { error: { message: 'x' } }],
  ['an error without message', { error: { code: 1 } }],
];

test.each(LEGACY_LINES)('$transport, $revision: a malformed response answers no question', async (line) => {
  const asking: Options = {
    work: async ({ roots }) => JSON.stringify(await roots()),
    capabilities: { roots: {} },
  };
  const { request, tell, ask, inbox, ran } = await open(line, asking);
  const call = tell(request('call', 'tools/call', { name: 'x' }));
  const { id } = await inbox.find(({ method }) => method === 'roots/list');
  for (const [, outcome] of ODD_RESPONSES)
    expect(await ask({ jsonrpc: '2.0', id, ...outcome })).toEqual({
      status: refused(line),
      reply: failure(-32600, '`method` must be a string.', id),
    });
  await tell({ jsonrpc: '2.0', id, result: { roots: [{ uri: 'file:///a' }] } });
  await call;
  expect(await inbox.answerTo('call')).toMatchObject({
    result: { content: [{ text: '[{"uri":"file:///a"}]' }] },
  });
  expect(ran()).toBe(1);
});

test.each([1.5, NaN, Infinity, '7', undefined, null])(
  'the code of an error is an integer, also where a handler throws %j',
  async (code) => {
    const work = () => {
      throw new RpcError(code as number, 'Not so.');
    };
    for (const line of LINES) {
      const { request, ask } = await open(line, { work });
      const { status, reply } = await ask(request(1, 'tools/call', { name: 'x' }));
      expect([status, reply]).toEqual([answered(line), failure(-32603, 'Not so.', 1)]);
    }
  },
);

// Modern requests over HTTP have a channel each.
const SHARED = LINES.filter((line) => !(line.transport === 'http' && isModern(line)));

test.each(SHARED)(
  '$transport, $revision: an id at work is refused, a finished one may return',
  async (line) => {
    const { release, work } = held();
    const { request, ask, tell, inbox, ran } = await open(line, { work });
    const call = request('a', 'tools/call', { name: 'x' });
    const first = tell(call);
    await expect.poll(ran, { interval: 2 }).toBe(1);
    for (const message of [call, request('a', 'tools/list')])
      expect(await ask(message)).toEqual({
        status: answered(line),
        reply: failure(-32600, 'A request with the id "a" is in progress.', 'a'),
      });
    expect(ran()).toBe(1);
    inbox.clear();
    release();
    expect(await inbox.answerTo('a')).toMatchObject({ result: done });
    expect(await first).toBe(answered(line));
    const again = await ask(call);
    expect([again.status, again.reply, ran()]).toMatchObject([answered(line), { id: 'a', result: done }, 2]);
  },
);
