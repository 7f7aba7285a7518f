/** One request with many parameter styles, and what of it reaches the API. */
import { createServer } from 'node:http';

const array = (items) => ({ type: 'array', items: { type: items } });
const object = { type: 'object', additionalProperties: true };

export const document = {
  openapi: '3.0.3',
  info: { title: 'Styles', version: '1.0.0' },
  servers: [{ url: 'http://127.0.0.1:1' }],
  paths: {
    '/nodes/{id}': {
      get: {
        operationId: 'getNode',
        summary: 'Gets a node',
        parameters: [
          { name: 'id', in: 'path', required: true, style: 'label', explode: true, schema: array('integer') },
          { name: 'id', in: 'query', schema: { type: 'integer' } },
          { name: 'filter', in: 'query', style: 'deepObject', explode: true, schema: object },
          { name: 'ids', in: 'query', style: 'pipeDelimited', explode: false, schema: array('string') },
          { name: 'tags', in: 'query', style: 'form', explode: true, schema: array('string') },
          { name: 'q', in: 'query', content: { 'application/json': { schema: object } } },
          { name: 'sess', in: 'cookie', schema: { type: 'string' } },
        ],
        responses: { 200: { description: 'A node', content: { 'application/json': { schema: object } } } },
      },
    },
  },
};

/** As OpenAPI's style tables say, percent-encoding aside. */
const EXPECTED = {
  'path id': ['.1.2'],
  'query id': ['7'],
  filter: ['filter[a]=x', 'filter[b]=2'],
  ids: ['p|q'],
  tags: ['t1', 't2'],
  q: ['{"x":1}'],
  sess: ['S'],
};

/** Tools rename arguments whose names clash, each in another way. */
export function argumentsFor({ properties = {} }) {
  const values = { filter: { a: 'x', b: 2 }, ids: ['p', 'q'], tags: ['t1', 't2'], q: { x: 1 }, sess: 'S' };
  const given = {};
  const ids = Object.keys(properties).filter((name) => /id(?!s)/i.test(name));
  // A tool with one argument `id` has kept the last of them.
  const ofPath = ids.length === 1 ? undefined : ids.find((name) => properties[name].type === 'array');
  for (const name of ids) given[name] = name === ofPath ? [1, 2] : 7;
  for (const [name, schema] of Object.entries(properties)) {
    const known = Object.keys(values).find((each) => name === each || name.endsWith(`_${each}`));
    if (known !== undefined && !ids.includes(name))
      given[name] = known === 'q' && schema.type === 'string' ? JSON.stringify(values.q) : values[known];
  }
  return given;
}

/**
 * @returns {{ faults: { part: string, sent: string | undefined }[], extra: string[] }} the parts that are not as expected, `undefined`
 *   if one is missing; and what else the query has
 */
export function differences({ url, headers }) {
  const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
  const deep = [...searchParams].filter(([name]) => name.startsWith('filter'));
  const sent = {
    'path id': [decodeURIComponent(pathname.replace('/nodes/', ''))],
    'query id': searchParams.getAll('id'),
    filter: deep.map(([name, value]) => `${name}=${value}`),
    ids: searchParams.getAll('ids'),
    tags: searchParams.getAll('tags'),
    q: searchParams.getAll('q'),
    sess: [...(headers.cookie ?? '').matchAll(/sess=([^;]*)/g)].map(([, value]) => value),
  };
  const faults = Object.entries(EXPECTED)
    .filter(([part, values]) => values.join('&') !== sent[part].join('&'))
    .map(([part]) => ({ part, sent: sent[part].length === 0 ? undefined : sent[part].join('&') }));
  const own = /^(?:id|ids|tags|q|filter.*)$/;
  const extra = [...searchParams].filter(([name]) => !own.test(name)).map((pair) => pair.join('='));
  return { faults, extra };
}

/** An API on loopback that keeps what it is asked. */
export async function startRecorder() {
  const requests = [];
  const server = createServer(({ method, url, headers }, response) => {
    requests.push({ method, url, headers });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => new Promise((resolve) => server.close(resolve));
  return { origin: `http://127.0.0.1:${server.address().port}`, requests, close };
}
