// Rule 2: which code says what, the same in every revision, and that nothing ran.
import { expect, test } from 'vitest';
import {
  LEGACY_REVISIONS,
  MODERN_REVISIONS,
  type Revision,
} from '../../../templates/runtime/protocol/revisions.ts';
import { hello } from '../core/harness.ts';
import { LISTS, metaOf, subject, type Subject, type Work } from './subject.ts';

const ALL: Revision[] = [...LEGACY_REVISIONS, ...MODERN_REVISIONS];

/** A server that has agreed on the revision, and how it is asked there. */
async function speaking(revision: Revision, work?: Work): Promise<Subject & { put: Subject['ask'] }> {
  const server = subject(work);
  const isModern = MODERN_REVISIONS.some((each) => each === revision);
  if (!isModern) {
    await server.ask('initialize', hello(revision));
    await server.notify('notifications/initialized');
  }
  const meta = isModern ? { _meta: metaOf() } : {};
  return { ...server, put: (method, params) => server.ask(method, { ...params, ...meta }) };
}

const ref = { type: 'ref/prompt', name: 'p' };
const argument = { name: 'who', value: '' };
const BAD: [string, string, object, RegExp][] = [
  ['an unknown tool', 'tools/call', { name: 'y' }, /^Unknown tool: y/],
  ['a tool without name', 'tools/call', {}, /`name` must be a string/],
  ['arguments that are a list', 'tools/call', { name: 'x', arguments: [] }, /`arguments` must be an object/],
  ['an unknown prompt', 'prompts/get', { name: 'q' }, /^Unknown prompt: q/],
  ['a prompt without its argument', 'prompts/get', { name: 'p' }, /who/],
  ['an argument of a prompt that is a number', 'prompts/get', { name: 'p', arguments: { who: 7 } }, /who/],
  ['a resource without URI', 'resources/read', {}, /`uri` must be a string/],
  ['a completion of nothing', 'completion/complete', { argument }, /`ref`/],
  ['a completion of an unknown prompt', 'completion/complete', { ref: { ...ref, name: 'q' }, argument }, /q/],
  ['a completion without argument', 'completion/complete', { ref }, /`argument/],
  ...LISTS.flatMap((method): [string, string, object, RegExp][] => [
    [`a forged cursor of ${method}`, method, { cursor: 'forged' }, /cursor/],
    [`a cursor of ${method} that is a number`, method, { cursor: 7 }, /cursor/],
  ]),
];

test.each(ALL.flatMap((revision) => BAD.map((row) => [revision, ...row] as const)))(
  '%s: %s is -32602',
  async (revision, _, method, params, words) => {
    const { put, ran, reported } = await speaking(revision);
    const { error } = await put(method, params);
    expect(error).toEqual({ code: -32602, message: expect.stringMatching(words) });
    expect([ran(), reported]).toEqual([0, []]);
  },
);

test.each(LEGACY_REVISIONS)('%s: a level that is none is -32602', async (revision) => {
  const { put } = await speaking(revision);
  for (const level of ['loud', 7, null, undefined])
    expect((await put('logging/setLevel', { level })).error?.code).toBe(-32602);
});

test.each(ALL)('%s: an unknown method is -32601', async (revision) => {
  const { put } = await speaking(revision);
  for (const method of ['no/such', 'notifications/initialized', 'toString', ''])
    expect((await put(method, {})).error).toEqual({ code: -32601, message: `Unknown method: ${method}` });
});

test.each(ALL)('%s: a handler that fails leaks no stack', async (revision) => {
  const { put } = await speaking(revision, () => {
    throw new Error('broken');
  });
  for (const [method, params] of [
    ['tools/call', { name: 'x' }],
    ['prompts/get', { name: 'p', arguments: { who: 'Ada' } }],
    ['resources/read', { uri: 'own://r' }],
    ['completion/complete', { ref, argument }],
  ] as const) {
    const text = JSON.stringify(await put(method, params));
    expect(text).not.toMatch(/\bat \S+ \(|\.ts:|node:internal|subject/);
  }
});
