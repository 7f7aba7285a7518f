// Rule 12: what a person is asked, and how. Who opens a page is for the page to find out: its URL says nothing of them.
// Further: core/asks.test.ts (what older revisions make of a form), rule-14-rounds.test.ts (answers by rounds).
import { expect, test } from 'vitest';
import type { Context } from '../../../templates/runtime/types.ts';
import { hello } from '../harness.ts';
import { call, start } from '../client.ts';
import { asked } from './asking.ts';
import { inEach, isModernRevision, plain } from './speaking.ts';
import type { Work } from './subject.ts';

type Form = Parameters<Context['elicit']>[1];

const WITH_FORMS = ['2025-06-18', '2025-11-25', '2026-07-28'] as const;
const WITH_PAGES = ['2025-11-25', '2026-07-28'] as const;
const asText = async (work: Promise<unknown>) => JSON.stringify(await work);
const formed =
  (form: unknown): Work =>
  ({ elicit }) =>
    asText(elicit('Who?', form as Form));
const form: Form = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer' } },
  required: ['name'],
};

// Flat, of primitives, and no secrets.

test.each(
  inEach<[string, object]>(WITH_FORMS, [
    ['a text', { type: 'string', title: 'T', description: 'D', minLength: 1, maxLength: 9 }],
    ['an address', { type: 'string', format: 'email' }],
    ['a moment', { type: 'string', format: 'date-time' }],
    ['a number', { type: 'number', minimum: 1, maximum: 9 }],
    ['a yes or no', { type: 'boolean', default: true }],
    ['a choice', { type: 'string', enum: ['a', 'b'] }],
  ]),
)('%s: a field may be %s', async (revision, _, field) => {
  const schema = { type: 'object', properties: { a: field }, required: ['a'] };
  const { question } = await asked(revision, formed(schema), { elicitation: {} }, { action: 'cancel' });
  const mode = revision === '2025-06-18' ? {} : { mode: 'form' };
  expect(question).toEqual({
    method: 'elicitation/create',
    params: { ...mode, message: 'Who?', requestedSchema: schema },
  });
});

const NO_FIELD =
  'The field `a` cannot be part of a form: fields are texts, numbers, booleans, and choices among texts.';
const NO_FORMAT =
  'The field `a` cannot be part of a form: texts may be of the format email, uri, date or date-time. ' +
  'Secrets are asked for by `elicitUrl`.';

test.each(
  inEach<[string, unknown, string]>(WITH_FORMS, [
    ['an object', { type: 'object', properties: { b: { type: 'string' } } }, NO_FIELD],
    ['a list of texts', { type: 'array', items: { type: 'string' } }, NO_FIELD],
    ['one of two types', { type: ['string', 'null'] }, NO_FIELD],
    ['a password', { type: 'string', format: 'password' }, NO_FORMAT],
    ['a format of its own', { type: 'string', format: 'credit-card' }, NO_FORMAT],
  ]),
)('%s: no field is %s, and nobody is asked', async (revision, _, field, message) => {
  const schema = { type: 'object', properties: { a: field } };
  const { question, words, sent } = await asked(revision, formed(schema), { elicitation: {} });
  expect([question, words, sent]).toEqual([undefined, message, []]);
});

test.each(
  inEach<[string, unknown]>(WITH_FORMS, [
    ['allOf', [{ properties: { b: { type: 'object' } } }]],
    ['anyOf', [{ required: ['a'] }]],
    ['additionalProperties', { type: 'object' }],
  ]),
)('%s: a form has no %s', async (revision, keyword, value) => {
  const { question, words } = await asked(revision, formed({ ...form, [keyword]: value }), {
    elicitation: {},
  });
  expect([question, words]).toEqual([
    undefined,
    `A form cannot have \`${keyword}\`: all its fields stand in \`properties\`.`,
  ]);
});

test.each(WITH_FORMS)('%s: a form may have no fields, and say that there are no others', async (revision) => {
  for (const [schema, want] of [
    [{ type: 'object' }, { type: 'object', properties: {} }],
    [
      { ...form, additionalProperties: false },
      { ...form, additionalProperties: false },
    ],
  ]) {
    const { question } = await asked(revision, formed(schema), { elicitation: {} }, { action: 'decline' });
    expect(question?.params).toMatchObject({ requestedSchema: want });
  }
});

// Action of the person.

test.each(
  inEach<[string, object, object]>(WITH_FORMS, [
    [
      'accepts',
      { action: 'accept', content: { name: 'Ada' } },
      { action: 'accept', content: { name: 'Ada' } },
    ],
    ['declines', { action: 'decline' }, { action: 'decline' }],
    ['declines, with content', { action: 'decline', content: { name: 'Ada' } }, { action: 'decline' }],
    ['cancels', { action: 'cancel' }, { action: 'cancel' }],
  ]),
)('%s: the person %s', async (revision, _, answer, want) => {
  const { words } = await asked(revision, formed(form), { elicitation: {} }, answer);
  expect(JSON.parse(words)).toEqual(want);
});

test.each(
  inEach<[string, object, string]>(WITH_FORMS, [
    ['no action', {}, 'The client answered elicitation/create without an action.'],
    ['an unknown action', { action: 'agree' }, 'The client answered elicitation/create without an action.'],
    [
      'a wrong type',
      { action: 'accept', content: { name: 7 } },
      'What was filled in does not match the form: `name` must be a string but is 7.',
    ],
    [
      'a missing field',
      { action: 'accept', content: { age: 7 } },
      'What was filled in does not match the form: `name` is required but missing.',
    ],
  ]),
)('%s: an answer with %s is refused', async (revision, _, answer, message) => {
  const { reply, words } = await asked(revision, formed(form), { elicitation: {} }, answer);
  const refused = `\`inputResponses["ask-1"]\` can't be used. ${message}`;
  if (isModernRevision(revision)) expect(reply.error).toEqual({ code: -32602, message: refused });
  else expect([plain(reply.result)['isError'], words]).toEqual([true, message]);
});

// Pages.

const paged =
  (url: string): Work =>
  ({ elicitUrl }) =>
    asText(elicitUrl('Sign in', url));

test.each(inEach<[string]>(WITH_PAGES, [['https://example.com/in?x=1'], ['https://[::1]/']]))(
  '%s: the page %s is asked for',
  async (revision, url) => {
    const can = { elicitation: { url: {} } };
    const { question, words } = await asked(revision, paged(url), can, {
      action: 'accept',
      content: { secret: 'not for us' },
    });
    const elicitationId = expect.stringMatching(/^[\da-f]{8}-[\da-f-]{27}$/) as string;
    const id = revision === '2025-11-25' ? { elicitationId } : {};
    expect(question).toEqual({
      method: 'elicitation/create',
      params: { mode: 'url', message: 'Sign in', url, ...id },
    });
    // Nothing of what was filled in comes back by the client.
    expect(words).toBe('{"action":"accept"}');
  },
);

test.each(
  inEach<[string, string]>(WITH_PAGES, [
    ['opens for whoever has it', 'https://ada:secret@example.com/'],
    ['names a person', 'https://ada@example.com/'],
    ['is a file', 'file:///etc/passwd'],
    ['is a script', 'javascript:alert(1)'],
    ['is no whole URL', '/in'],
  ]),
)('%s: a page whose URL %s is not asked for', async (revision, _, url) => {
  const { question, words, sent } = await asked(revision, paged(url), { elicitation: { url: {} } });
  const message = 'A page is named by a whole URL, of http or https, without a user or a password.';
  expect([question, words, sent]).toEqual([undefined, message, []]);
});

test('each page has an id of its own, which nobody can guess', async () => {
  const can = { elicitation: { url: {} } };
  const ids = await Promise.all(
    [1, 2, 3].map(async () => {
      const { question } = await asked('2025-11-25', paged('https://a.example/'), can, { action: 'cancel' });
      return question?.params?.['elicitationId'];
    }),
  );
  expect(new Set(ids).size).toBe(3);
});

test.each(['2025-06-18', '2025-11-25'])('%s: only the client whose call it is is asked', async (revision) => {
  const { post, stream } = await start({
    handler: async ({ elicit }) => (await elicit('Who?', form)).content,
  });
  const open = async () => {
    const params = { ...hello(revision), capabilities: { elicitation: {} } };
    const { headers } = await post({ jsonrpc: '2.0', id: 'i', method: 'initialize', params });
    const session = { 'mcp-session-id': String(headers['mcp-session-id']) };
    await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session);
    return session;
  };
  const [one, other] = [await open(), await open()];
  const { messages } = await stream(call, one);
  await expect.poll(messages).toHaveLength(1);
  // Another session answers under the same id, and is not heard.
  for (const [session, name] of [
    [other, 'Eve'],
    [one, 'Ada'],
  ] as const) {
    const reply = {
      jsonrpc: '2.0',
      id: messages()[0]?.['id'],
      result: { action: 'accept', content: { name } },
    };
    expect((await post(reply, session)).status).toBe(202);
  }
  await expect.poll(messages).toHaveLength(2);
  expect(messages()[1]?.['result']).toEqual({ content: [{ type: 'text', text: '{"name":"Ada"}' }] });
});
