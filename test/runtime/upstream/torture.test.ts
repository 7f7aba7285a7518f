/** One operation with most of what clients get wrong, as it must arrive. */
import { expect, test } from 'vitest';
import type { HttpBinding } from '../../../templates/runtime/bindings.ts';
import { call, headerOf, rawServer } from './loopback.ts';

const binding: HttpBinding = {
  kind: 'http',
  method: 'GET',
  path: '/nodes/{id}',
  parameters: [
    { argument: 'id_path', name: 'id', in: 'path', style: 'label' },
    { argument: 'id_query', name: 'id', in: 'query' },
    { argument: 'filter', name: 'filter', in: 'query', style: 'deepObject', explode: true },
    { argument: 'ids', name: 'ids', in: 'query', style: 'pipeDelimited' },
    { argument: 'tags', name: 'tags', in: 'query', style: 'form', explode: true },
    { argument: 'q', name: 'q', in: 'query', mediaType: 'application/json' },
    { argument: 'sess', name: 'sess', in: 'cookie' },
  ],
};

const args = {
  id_path: [1, 2],
  id_query: 7,
  filter: { a: 'x', b: 2 },
  ids: ['p', 'q'],
  tags: ['t1', 't2'],
  q: { x: 1 },
  sess: 'S',
};

test('the torture operation', async () => {
  const upstream = await rawServer();
  await call(upstream.url, binding, args);
  await upstream.close();
  expect(upstream.requests.map((one) => one.line)).toEqual([
    'GET /nodes/.1.2?id=7&filter%5Ba%5D=x&filter%5Bb%5D=2&ids=p%7Cq&tags=t1&tags=t2&q=%7B%22x%22%3A1%7D HTTP/1.1',
  ]);
  expect(headerOf(upstream.requests[0], 'Cookie')).toBe('sess=S');
});
