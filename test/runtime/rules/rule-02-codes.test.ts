// Rule 2: which code says what, the same in every revision, and that nothing ran.
import { expect, test } from 'vitest';
import {
  LEGACY_REVISIONS,
  MODERN_REVISIONS,
  type Revision,
} from '../../../templates/runtime/protocol/revisions.ts';
import { hello } from '../core/harness.ts';
import { metaOf, subject, type Subject, type Work } from './subject.ts';

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
