// Rule 14: what a modern call asks, and the state that its client carries from round to round.
// What the state is bound to, each thing alone, and every transport: rule-14-binding.test.ts.
import { expect, test } from 'vitest';
import type { ElicitAnswer } from '../../../templates/runtime/types.ts';
import { META } from '../../../templates/runtime/json-rpc.ts';
import type { ServerParts } from '../harness.ts';
import { subject, type Work } from './subject.ts';

const form = {
  type: 'object' as const,
  properties: { name: { type: 'string' as const } },
  required: ['name'],
};
const can = { [`${META}clientCapabilities`]: { elicitation: {}, roots: {} } };
const named = (name: string) => ({ action: 'accept', content: { name } });
const told = ({ action, content }: ElicitAnswer) => `${action} ${String(content?.['name'])}`;

/** Asks for two names, one after the other, and counts its work that is done once. */
const twoRounds: Work = async ({ elicit }) => {
  const first = await elicit('First?', form, { key: 'first' });
  const second = await elicit('Second?', form, { key: 'second' });
  return `${told(first)}, ${told(second)}`;
};

interface Round {
  requestState?: string;
  inputRequests?: Record<string, unknown>;
  content?: { text: string }[];
}

function client(work: Work = twoRounds, parts: ServerParts = {}) {
  const server = subject(work, parts);
  /** A call of `x`, with what the client carries. */
  const call = async (more: object = {}, args: object = {}) => {
    const reply = await server.modern('tools/call', { name: 'x', arguments: args, ...more }, can);
    return { round: (reply.result ?? {}) as Round, error: reply.error };
  };
  return { ...server, call };
}

const REFUSED = {
  code: -32602,
  message:
    '`requestState` is not of this request, too old, or used already: send the request again without it.',
};

test('the client answers round by round, each with a state of its own', async () => {
  const { call } = client();
  const one = (await call()).round;
  expect(Object.keys(one.inputRequests ?? {})).toEqual(['first']);
  const two = (await call({ requestState: one.requestState, inputResponses: { first: named('Ada') } })).round;
  expect(Object.keys(two.inputRequests ?? {})).toEqual(['second']);
  expect(two.requestState).not.toBe(one.requestState);
  const done = (await call({ requestState: two.requestState, inputResponses: { second: named('Bob') } }))
    .round;
  expect(done.content).toEqual([{ type: 'text', text: 'accept Ada, accept Bob' }]);
});

test('an answer counts by its key, also without a state, but none to a question that its state has not put', async () => {
  const { call } = client();
  const inputResponses = { second: named('Bob'), first: named('Ada') };
  const { content } = (await call({ inputResponses })).round;
  expect(content).toEqual([{ type: 'text', text: 'accept Ada, accept Bob' }]);
  const { requestState } = (await call()).round;
  const { round } = await call({ requestState, inputResponses });
  expect(Object.keys(round.inputRequests ?? {})).toEqual(['second']);
});

test('what has been answered stays so', async () => {
  const { call } = client();
  const one = (await call()).round;
  const two = (await call({ requestState: one.requestState, inputResponses: { first: named('Ada') } })).round;
  const inputResponses = { first: named('Eve'), second: named('Bob') };
  const done = (await call({ requestState: two.requestState, inputResponses })).round;
  expect(done.content).toEqual([{ type: 'text', text: 'accept Ada, accept Bob' }]);
});

test('the questions of one round leave together, under the keys of the handler or by order', async () => {
  const { call } = client(async ({ elicit, roots }) => {
    const [a, b, c] = await Promise.all([elicit('A?', form, { key: 'a' }), roots(), elicit('C?', form)]);
    return `${told(a)} ${b.length} ${told(c)}`;
  });
  const { inputRequests, requestState } = (await call()).round;
  expect(inputRequests).toMatchObject({
    a: { method: 'elicitation/create', params: { message: 'A?' } },
    'ask-1': { method: 'roots/list' },
    'ask-2': { method: 'elicitation/create', params: { message: 'C?' } },
  });
  const inputResponses = { a: named('Ada'), 'ask-1': { roots: [] }, 'ask-2': { action: 'decline' } };
  const { content } = (await call({ requestState, inputResponses })).round;
  expect(content).toEqual([{ type: 'text', text: 'accept Ada 0 decline undefined' }]);
});

test.each<[string, unknown]>([
  ['a list', []],
  ['an answer that is a text', { first: 'yes' }],
  ['an answer that is null', { first: null }],
])('inputResponses that are %s are refused', async (_, inputResponses) => {
  const { call, ran } = client();
  const { error } = await call({ inputResponses });
  expect([error?.code, ran()]).toEqual([-32602, 0]);
  expect(error?.message).toMatch(/^`inputResponses.*must be an object/);
});

test.each<[string, object, string]>([
  ['no action', {}, 'without an action'],
  ['content that breaks the form', { action: 'accept', content: { name: 7 } }, 'does not match the form'],
  ['no content', { action: 'accept' }, 'does not match the form'],
])('an answer with %s is refused', async (_, response, words) => {
  const { call } = client();
  const { requestState } = (await call()).round;
  const { error } = await call({ requestState, inputResponses: { first: response } });
  expect(error).toEqual({ code: -32602, message: expect.stringContaining(words) });
});

test('a state is of one set of parameters, in whatever order they are written', async () => {
  const { call, ran } = client();
  const { requestState } = (await call({}, { n: 1, m: 2 })).round;
  expect((await call({ requestState }, { n: 2, m: 2 })).error).toEqual(REFUSED);
  expect((await call({ requestState }, { n: 1 })).error).toEqual(REFUSED);
  expect((await call({ requestState, more: 1 }, { n: 1, m: 2 })).error).toEqual(REFUSED);
  expect(ran()).toBe(1);
  expect((await call({ requestState }, { m: 2, n: 1 })).error).toBeUndefined();
});

test('a state that is tampered with is refused, whichever character it is, and nothing runs', async () => {
  const { call, ran } = client();
  const { requestState = '' } = (await call()).round;
  const before = ran();
  for (let at = 0; at < requestState.length; at += 7) {
    const other = requestState[at] === 'A' ? 'B' : 'A';
    const tampered = requestState.slice(0, at) + other + requestState.slice(at + 1);
    expect((await call({ requestState: tampered })).error).toEqual(REFUSED);
  }
  expect(ran()).toBe(before);
});

test.each<[string, (state: string) => unknown]>([
  ['nothing', () => ''],
  ['a number', () => 7],
  ['no signature', (state) => state.split('.')[0]],
  ['a signature of nothing', (state) => `.${state.split('.')[1]}`],
  ['one part more', (state) => `${state}.x`],
  ['a payload of our own', (state) => `${Buffer.from('{}').toString('base64url')}.${state.split('.')[1]}`],
])('a state that is, or has, %s is refused', async (_, change) => {
  const { call, ran } = client();
  const { requestState = '' } = (await call()).round;
  expect((await call({ requestState: change(requestState) })).error).toEqual(REFUSED);
  expect(ran()).toBe(1);
});

test('a state that is too old is refused', async () => {
  const { call } = client(twoRounds, { limits: { requestStateMs: 0 } });
  const { requestState } = (await call()).round;
  expect((await call({ requestState })).error).toEqual(REFUSED);
});

test('instances that share the secret understand each other, others do not', async () => {
  const [one, other, stranger, random] = ['s1', 's1', 's2', ''].map((MCP_STATE_SECRET) =>
    client(twoRounds, { env: { MCP_STATE_SECRET } }),
  );
  const { requestState } = (await one?.call())?.round ?? {};
  const carried = { requestState, inputResponses: { first: named('Ada') } };
  expect((await other?.call(carried))?.round.inputRequests).toHaveProperty('second');
  for (const foreign of [stranger, random, client()]) {
    expect((await foreign?.call(carried))?.error).toEqual(REFUSED);
    expect(foreign?.ran()).toBe(0);
  }
});
