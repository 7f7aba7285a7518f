/** One operation with most of what clients get wrong, as it must arrive. */
import { proveRows, type Row } from './prove-rows.ts';

const integers = { type: 'array', items: { type: 'integer' } };
const strings = { type: 'array', items: { type: 'string' } };

const operation = {
  parameters: [
    { name: 'id', in: 'path', required: true, style: 'label', schema: integers },
    { name: 'id', in: 'query', schema: { type: 'integer' } },
    { name: 'filter', in: 'query', style: 'deepObject', explode: true, schema: { type: 'object' } },
    { name: 'ids', in: 'query', style: 'pipeDelimited', schema: strings },
    { name: 'tags', in: 'query', style: 'form', explode: true, schema: strings },
    { name: 'q', in: 'query', content: { 'application/json': { schema: { type: 'object' } } } },
    { name: 'sess', in: 'cookie', schema: { type: 'string' } },
  ],
};

const args = {
  id: [1, 2],
  id_query: 7,
  filter: { a: 'x', b: 2 },
  ids: ['p', 'q'],
  tags: ['t1', 't2'],
  q: { x: 1 },
  sess: 'S',
};

function torture(label: string): Row[] {
  const query = 'id=7&filter%5Ba%5D=x&filter%5Bb%5D=2&ids=p%7Cq&tags=t1&tags=t2&q=%7B%22x%22%3A1%7D';
  const want = `GET /nodes/${label}?${query}\nCookie: sess=S`;
  return [{ says: 'the torture operation', path: '/nodes/{id}', operation, args, want }];
}

// A label that is not exploded is joined by `.` up to 3.0.3 and 3.1.0, and by `,` since.
proveRows('3.0.3', torture('.1.2'));
proveRows('3.1.0', torture('.1.2'));
proveRows('3.1.1', torture('.1,2'));
proveRows('3.2.0', torture('.1,2'));
