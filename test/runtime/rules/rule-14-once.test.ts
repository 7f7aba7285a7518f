// Rule 14: answers that count once. Their state is taken the first time it comes, where the state of the process that asked is.
import { expect, test } from 'vitest';
import { META } from '../../../templates/runtime/json-rpc.ts';
import type { ServerParts } from '../harness.ts';
import { subject, type Work } from './subject.ts';

const form = { type: 'object' as const, properties: {} };
const can = { [`${META}clientCapabilities`]: { elicitation: {} } };
const yes = { action: 'accept', content: {} };
const WORDS =
  '`requestState` is not of this request, too old, or used already: send the request again without it.';

interface Round {
  requestState?: string;
  inputRequests?: object;
  content?: object[];
}

function client(work: Work, parts: ServerParts = {}) {
  const counted = { ends: 0 };
  const counting: Work = async (context, args) => {
    await work(context, args);
    counted.ends++;
  };
  const server = subject(counting, parts);
  const call = async (more: object = {}) => {
    const { result, error } = await server.modern('tools/call', { name: 'x', ...more }, can);
    return { ...(result as Round | undefined), error };
  };
  return { call, ends: () => counted.ends, ran: server.ran };
}

const askOnce: Work = ({ elicit }) => elicit('Pay?', form, { key: 'pay', once: true });
const inputResponses = { pay: yes };

test('without it a state may be sent twice', async () => {
  const { call, ends } = client(({ elicit }) => elicit('Pay?', form, { key: 'pay' }));
  const { requestState } = await call();
  await call({ requestState, inputResponses });
  await call({ requestState, inputResponses });
  expect(ends()).toBe(2);
});

test('its state is taken once, and the second time nothing runs', async () => {
  const { call, ends, ran } = client(askOnce);
  const { requestState } = await call();
  expect((await call({ requestState, inputResponses })).error).toBeUndefined();
  expect([ends(), ran()]).toEqual([1, 2]);
  expect((await call({ requestState, inputResponses })).error).toEqual({ code: -32602, message: WORDS });
  expect([ends(), ran()]).toEqual([1, 2]);
});

test('each call has a state of its own', async () => {
  const { call, ends } = client(askOnce);
  const states = [await call(), await call()].map(({ requestState }) => requestState);
  for (const requestState of states) await call({ requestState, inputResponses });
  expect(ends()).toBe(2);
});

test('an answer that comes along with another one is not heard, and the state may be sent again', async () => {
  const { call, ends } = client(async (context, args) => {
    await context.elicit('Which?', form, { key: 'which' });
    await askOnce(context, args);
  });
  const { requestState } = await call();
  const early = { requestState, inputResponses: { which: yes, pay: yes } };
  expect((await call(early)).inputRequests).toEqual({ pay: expect.anything() });
  expect((await call(early)).inputRequests).toEqual({ pay: expect.anything() });
  expect(ends()).toBe(0);
});

test('states after it are taken once as well', async () => {
  const { call, ends } = client(async (context, args) => {
    await askOnce(context, args);
    await context.elicit('Sure?', form, { key: 'sure' });
  });
  const first = await call();
  const second = await call({ requestState: first.requestState, inputResponses });
  const last = { requestState: second.requestState, inputResponses: { sure: yes } };
  await call(last);
  expect([(await call(last)).error?.message, ends()]).toEqual([WORDS, 1]);
});
