// `output` and `fields`: what a tool returns of an answer.
import { expect, test } from 'vitest';
import { type ApiParts, json, openApi, resultOf, textOf } from './api.ts';

const ann = { login: 'ann', mail: 'a@b.c' };
const page = { total: 2, items: [{ id: 7, owner: ann }, { id: 8, owner: null }, 'text'], 'a.b': 1 };
const names = {
  total: true,
  items: { id: true, owner: { login: true, mail: true } },
  'a.b': true,
  free: true,
} as const;
const fields = { argument: 'fields', names } as const;

test.each<[string, NonNullable<ApiParts['binding']>['result'], object, unknown]>([
  ['nothing is said', {}, {}, page],
  [
    'select keeps names, through lists',
    { select: { items: { id: true } } },
    {},
    { items: [{ id: 7 }, { id: 8 }, 'text'] },
  ],
  ['the order is that of the answer', { select: { 'a.b': true, total: true } }, {}, { total: 2, 'a.b': 1 }],
  [
    'then drop removes',
    { select: { items: { owner: true } }, drop: { items: { owner: { mail: true } } } },
    {},
    { items: [{ owner: { login: 'ann' } }, { owner: null }, 'text'] },
  ],
  ['drop alone', { drop: { items: true } }, {}, { total: 2, 'a.b': 1 }],
  [
    'fields',
    { fields },
    { fields: ['items.owner.login', 'a\\.b'] },
    { items: [{ owner: { login: 'ann' } }, { owner: null }, 'text'], 'a.b': 1 },
  ],
  [
    'a whole member wins over one below',
    { fields },
    { fields: ['items.id', 'items'] },
    { items: page.items },
  ],
  ['no fields are all', { fields }, { fields: [] }, page],
  ['below an open member', { fields }, { fields: ['total', 'free.any.thing'] }, { total: 2 }],
  [
    'fields of what select keeps',
    { select: { total: true }, fields },
    { fields: ['total', 'items'] },
    { total: 2 },
  ],
])('%s', async (_, result, args, want) => {
  const answer = await resultOf(json(page), { binding: { ...(result && { result }) } }, args);
  expect(JSON.parse(answer.content[0]?.text ?? '')).toEqual(want);
  expect(answer.structuredContent).toEqual(want);
});

test('of a wrapped list, `result` may stand in front, and alone is all', async () => {
  const result = {
    wrapped: true,
    fields: { argument: 'fields', wrapped: true, names: { id: true } },
  } as const;
  const list = json([{ id: 1, x: 2 }]);
  expect(await resultOf(list, { binding: { result } }, { fields: ['result.id'] })).toMatchObject({
    content: [{ text: '[{"id":1}]' }],
    structuredContent: { result: [{ id: 1 }] },
  });
  const all = await resultOf(list, { binding: { result } }, { fields: ['result'] });
  expect(all.structuredContent).toEqual({ result: [{ id: 1, x: 2 }] });
});

test.each([
  [
    ['itens.id'],
    /no member "itens\.id"\. Did you mean "items\.id"\? Nothing was sent\. `fields` takes: total, items,/,
  ],
  [['login'], /Did you mean "items\.owner\.login"/],
  [['constructor'], /no member "constructor"/],
])('%j is refused, and nothing is sent', async (asked, words) => {
  const { call, requests } = await openApi({ binding: { result: { fields } } });
  const result = await call({ fields: asked });
  expect([result.isError, textOf(result)]).toEqual([true, expect.stringMatching(words)]);
  expect(requests).toEqual([]);
});

test('errors, texts and resources stay whole, and a hook sees the whole answer', async () => {
  const binding = { result: { select: { total: true } } } as const;
  expect(textOf(await resultOf(json(page, { status: 400 }), { binding }))).toContain('"items"');
  const text = { headers: { 'content-type': 'text/plain' }, body: 'all' };
  expect(textOf(await resultOf(text, { binding }))).toBe('all');
  const seen: unknown[] = [];
  const handlers = { afterResponse: ({ body }: { body: unknown }) => void seen.push(body) };
  const { read, call } = await openApi({ binding, handlers, answer: () => json(page) });
  expect(await read()).toMatchObject({ result: { contents: [{ text: JSON.stringify(page) }] } });
  await call();
  expect(seen).toMatchObject([{ value: page }, { value: page }]);
});
