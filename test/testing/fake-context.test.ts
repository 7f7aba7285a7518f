// A function called with a fake `Context`: it is told what a client would be, and gets the answers of the test.
import { expect, test, vi } from 'vitest';
import type { Context } from '../../templates/runtime/index.ts';
import { fakeContext } from '../../src/testing/index.ts';

const AGE = { age: { type: 'integer', minimum: 0 } } as const;

async function ask({ elicit }: Context): Promise<number | string> {
  const answer = await elicit('Age?', AGE);
  return answer.action === 'accept' ? answer.content.age : answer.action;
}

test('logs, progress and questions are recorded', async () => {
  const context = fakeContext({ elicit: [{ age: 7 }], sample: ['Hi'], roots: [{ uri: 'file:///a' }] });
  const { log, progress } = context;
  await log('warning', { at: 1 }, 'pages');
  await progress(1, 2, 'half');
  expect(await ask(context)).toBe(7);
  const messages = [{ role: 'user' as const, content: { type: 'text', text: 'Hello' } }];
  expect(await context.sample({ messages, maxTokens: 9 })).toMatchObject({
    content: { type: 'text', text: 'Hi' },
  });
  expect(await context.roots()).toEqual([{ uri: 'file:///a' }]);
  expect(context.logged).toEqual([{ level: 'warning', data: { at: 1 }, logger: 'pages' }]);
  expect(context.progressed).toEqual([{ done: 1, total: 2, message: 'half' }]);
  expect(context.asked.map(({ method }) => method)).toEqual([
    'elicitation/create',
    'sampling/createMessage',
    'roots/list',
  ]);
  expect(context.asked[0]?.params).toMatchObject({
    message: 'Age?',
    requestedSchema: { properties: AGE, required: ['age'] },
  });
});

test('questions get their answers in order, or by what they ask', async () => {
  const listed = fakeContext({ elicit: [{ age: 7 }, 'decline', 'cancel'] });
  expect([await ask(listed), await ask(listed), await ask(listed)]).toEqual([7, 'decline', 'cancel']);
  await expect(ask(listed)).rejects.toThrow('The test has no answer to "Age?": `elicit` has 3.');
  const told = fakeContext({ elicit: async ({ message }) => ({ age: message.length }) });
  expect(await ask(told)).toBe(4);
  const page = await fakeContext({ elicit: ['accept'] }).elicitUrl('Sign in.', 'https://a.example/');
  expect(page).toEqual({ action: 'accept' });
});

test.each([
  ['an answer that the form refuses', { elicit: [{ age: -1 }] }, '`age` must be ≥ 0 but is -1'],
  ['no answers: the client cannot be asked', {}, 'The client cannot show its user a form.'],
  ['a client without forms', { elicit: [], client: { capabilities: {} } }, 'The client cannot show its user'],
  [
    'a revision without forms',
    { elicit: [], client: { revision: '2025-03-26' as const } },
    'The client cannot show its user',
  ],
])('questions fail as they would: %s', async (_, options, words) => {
  await expect(ask(fakeContext(options))).rejects.toThrow(words);
});

test('two questions of one key are refused, and work is remembered by its key', async () => {
  const context = fakeContext({ elicit: [{ age: 1 }, { age: 2 }] });
  await context.elicit('Age?', AGE, { key: 'age' });
  await expect(context.elicit('Age?', AGE, { key: 'age' })).rejects.toThrow('Two questions');
  let runs = 0;
  const count = (): number => (runs += 1);
  expect([await context.remember('a', count), await context.remember('a', count)]).toEqual([1, 1]);
});

test('caller, client, signal, other tools and operations are those of the test', async () => {
  const abort = new AbortController();
  const auth = { issuer: 'https://i.example', subject: 'ada', scopes: [], claims: {} };
  const context = fakeContext({
    auth,
    client: { info: { name: 'mine', version: '2' } },
    signal: abort.signal,
    call: (tool, args) => ({ content: [{ type: 'text', text: tool + JSON.stringify(args) }] }),
    api: { rail: { find: async ({ from }: { from: string }) => [from] } },
  });
  abort.abort();
  expect([context.auth, context.client.info?.name, context.signal.aborted]).toEqual([auth, 'mine', true]);
  expect(fakeContext({ auth: { subject: 'ada' } }).auth).toMatchObject({ subject: 'ada', scopes: [] });
  expect(fakeContext().auth).toBeUndefined();
  expect(await context.call('add', { a: 1 })).toEqual({ content: [{ type: 'text', text: 'add{"a":1}' }] });
  expect(await context.api['rail']?.['find']?.({ from: 'BN' })).toEqual(['BN']);
  await expect(fakeContext().call('add')).rejects.toThrow('The test has no `call`, so add was not called.');
  const program = { steps: [{ id: 'a', call: 'add' }], result: '$steps.a' };
  await expect(fakeContext().run(program)).rejects.toThrow('The test has no `run`, so no steps were run.');
  const run = vi.fn(() => Promise.resolve(3));
  expect(await fakeContext({ run }).run(program)).toBe(3);
  expect(run).toHaveBeenCalledWith(program);
});
