// Rule 11: prompts and completions.
// Further: core/prompts.test.ts (templates, and what is completed from the document).
import { expect, test, vi } from 'vitest';
import type { Handlers } from '../../../templates/runtime/types.ts';
import { ALL, inEach, plain, speaking } from './speaking.ts';
import { subject } from './subject.ts';

// Prompts.

function withPrompt() {
  const handler = vi.fn(
    ({ city, season }: Record<string, string>) => `To ${String(city)} in ${String(season)}`,
  );
  const trip = {
    arguments: [{ name: 'city', required: true }, { name: 'month', required: true }, { name: 'season' }],
    handler,
  };
  const handlers: Handlers<object> = { prompts: { trip, plain: { handler } } };
  return { handler, server: subject(undefined, { handlers }) };
}

test.each(inEach<[object]>(ALL, [[{ name: 'trip' }], [{ name: 'trip', arguments: {} }]]))(
  '%s: required arguments are required: %j',
  async (revision, params) => {
    const { handler, server } = withPrompt();
    const { put } = await speaking(revision, server);
    expect(await put('prompts/get', params)).toMatchObject({
      error: { code: -32602, message: 'The prompt trip needs the arguments `city`, `month`.' },
      origin: 'work',
    });
    expect(handler).not.toHaveBeenCalled();
  },
);

const OBJECT = '`arguments` must be an object of strings.';

test.each(
  inEach<[unknown, string]>(ALL, [
    [{ month: 'May' }, 'The prompt trip needs the arguments `city`.'],
    [{ city: 7, month: 'May' }, OBJECT],
    [{ city: 'Oslo', month: 'May', season: ['Spring'] }, OBJECT],
    [{ city: 'Oslo', month: 'May', other: true }, OBJECT],
    ['Oslo', OBJECT],
  ]),
)('%s: values are strings: %j is refused', async (revision, args, message) => {
  const { handler, server } = withPrompt();
  const { put } = await speaking(revision, server);
  expect(await put('prompts/get', { name: 'trip', arguments: args })).toMatchObject({
    error: { code: -32602, message },
    origin: 'work',
  });
  expect(handler).not.toHaveBeenCalled();
});

test.each(
  inEach<[string, object | undefined, string]>(ALL, [
    ['trip', { city: 'Oslo', month: 'May', season: '' }, 'To Oslo in '],
    ['trip', { city: '', month: 'May' }, 'To  in undefined'],
    ['plain', undefined, 'To undefined in undefined'],
  ]),
)('%s: the prompt %s takes %j', async (revision, name, args, text) => {
  const { put } = await speaking(revision, withPrompt().server);
  expect(plain((await put('prompts/get', { name, arguments: args })).result)).toEqual({
    messages: [{ role: 'user', content: { type: 'text', text } }],
  });
});

// Completions.

const ref = { type: 'ref/prompt', name: 'p' };
const byTemplate = { type: 'ref/resource', uri: 'own://t/{id}' };
const asked = (more: object = {}) => ({ ref, argument: { name: 'who', value: 'A' }, ...more });
const values = (count: number) => Array.from({ length: count }, (_, index) => `v${index}`);

/** A server that completes, for a prompt and a template, and what it is asked. */
function withCompletion(offer: (typed: string, others: Record<string, string>) => string[]) {
  const handler = vi.fn(offer);
  const completions = { p: { who: handler }, 'own://t/{id}': { id: handler } };
  return { handler, server: subject(undefined, { handlers: { completions } }) };
}

test.each(
  inEach<[number, number, boolean]>(ALL, [
    [0, 0, false],
    [100, 100, false],
    [101, 100, true],
  ]),
)('%s: of %i values the first %i are sent, how many there are, and whether more: %j', async (...row) => {
  const [revision, count, sent, hasMore] = row;
  const { put } = await speaking(revision, withCompletion(() => values(count)).server);
  for (const params of [asked(), asked({ ref: byTemplate, argument: { name: 'id', value: '' } })])
    expect(plain((await put('completion/complete', params)).result)).toEqual({
      completion: { values: values(sent), total: count, hasMore },
    });
});

test.each(
  inEach<[string, object]>(ALL, [
    ['an argument that nobody completes', asked({ argument: { name: 'other', value: '' } })],
    ['a resource', asked({ ref: { type: 'ref/resource', uri: 'own://r' } })],
  ]),
)('%s: nothing to offer is an empty answer: %s', async (revision, _, params) => {
  const { handler, server } = withCompletion(() => ['x']);
  const { put } = await speaking(revision, server);
  expect(plain((await put('completion/complete', params)).result)).toEqual({
    completion: { values: [], total: 0, hasMore: false },
  });
  expect(handler).not.toHaveBeenCalled();
});

test.each(
  inEach<[unknown, object]>(ALL, [
    [undefined, {}],
    [{ arguments: { season: 'May' } }, { season: 'May' }],
    [{ arguments: { season: 'May', broken: 1, none: null } }, { season: 'May' }],
    [{ arguments: ['May'] }, {}],
    ['May', {}],
  ]),
)('%s: the context %j says what is filled in', async (revision, context, others) => {
  const { handler, server } = withCompletion((typed, { season }) => [`${typed} in ${String(season)}`]);
  const { put } = await speaking(revision, server);
  expect((await put('completion/complete', asked({ context }))).error).toBeUndefined();
  expect(handler.mock.calls.map((each) => each.slice(0, 2))).toEqual([['A', others]]);
});

const NO_REF = '`ref` must be a `ref/prompt` with a `name` or a `ref/resource` with a `uri`.';
const NO_ARGUMENT = '`argument` must have a `name` and a `value`, both strings.';

test.each(
  inEach<[object, string]>(ALL, [
    [{ ref: { type: 'ref/prompt', name: 'q' } }, 'Unknown prompt: q'],
    [{ ref: { type: 'ref/resource', uri: 'x:y' } }, 'Unknown resource template: x:y'],
    [{ ref: undefined }, NO_REF],
    [{ ref: { type: 'ref/none', name: 'p' } }, NO_REF],
    [{ ref: { type: 'ref/resource', name: 'p' } }, NO_REF],
    [{ argument: undefined }, NO_ARGUMENT],
    [{ argument: { name: 'who', value: 7 } }, NO_ARGUMENT],
  ]),
)('%s: %j can not be completed', async (revision, more, message) => {
  const { handler, server } = withCompletion(() => ['x']);
  const { put } = await speaking(revision, server);
  expect(await put('completion/complete', asked(more))).toMatchObject({
    error: { code: -32602, message },
    origin: 'work',
  });
  expect(handler).not.toHaveBeenCalled();
});
