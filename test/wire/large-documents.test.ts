/** Large documents: inputs that are listed in part are checked whole, and lists of megabytes come in pages. */
import { afterAll, expect, test } from 'vitest';
import { LARGEST_INPUT } from '../../src/derive/schema/cut-schema.ts';
import { type Served, serveDocument } from './serve-document.ts';

const text = { type: 'string' };
const json = (schema: object): object => ({ 'application/json': { schema } });
const info = {
  openapi: '3.1.0',
  info: { title: 'Large', version: '1' },
  servers: [{ url: 'http://127.0.0.1' }],
};

/** Types that refer to each other. The last of a chain wants a number. */
const chain = Object.fromEntries(
  Array.from({ length: 60 }, (_, index) => [
    `Type${index}`,
    {
      type: 'object',
      properties: {
        ...Object.fromEntries(Array.from({ length: 10 }, (_none, at) => [`text${at}`, text])),
        size: { type: 'integer' },
        next: { $ref: `#/components/schemas/Type${(index + 1) % 60}` },
        other: { $ref: `#/components/schemas/Type${(index + 7) % 60}` },
      },
    },
  ]),
);
const cutting = {
  ...info,
  paths: {
    '/things': {
      post: {
        operationId: 'make',
        summary: 'Makes a thing.',
        requestBody: { required: true, content: json({ $ref: '#/components/schemas/Type0' }) },
        responses: { 204: { description: 'Fine.' } },
      },
    },
  },
  components: { schemas: chain },
};

const open: Served[] = [];
afterAll(async () => {
  await Promise.all(open.map((served) => served.close()));
});

async function serve(document: object, parts: Parameters<typeof serveDocument>[2] = {}): Promise<Served> {
  const served = await serveDocument(document, undefined, parts);
  open.push(served);
  return served;
}

function nested(depth: number, inner: object): object {
  return depth === 0 ? inner : { next: nested(depth - 1, inner) };
}

test('what is below the listed part is sent, and checked by the whole schema', async () => {
  const served = await serve(cutting);
  const [client] = await served.clients();
  const { tools } = (await client?.listTools()) ?? { tools: [] };
  expect(tools.map(({ name }) => name)).toEqual(['make', 'describe_tool']);
  const part = await served.call('describe_tool', { name: 'make', path: '/next/next/next/next' });
  expect(part.words).toContain('size?: integer');
  const listed = JSON.stringify(tools[0]?.inputSchema);
  expect(Buffer.byteLength(listed)).toBeLessThanOrEqual(LARGEST_INPUT);
  expect(listed).toMatch(/describe_tool \{name, path: \\"\/next/);
  const fine = await served.call('make', nested(20, { size: 3 }));
  expect(fine.sent[0]).toContain('"size":3');
  const refused = await served.call('make', nested(20, { size: 'many' }));
  expect(refused).toMatchObject({ isError: true, sent: [] });
  expect(refused.words).toMatch(/next\.size.*integer/);
});

test('arguments that came as text are repaired below the listed part', async () => {
  const served = await serve(cutting);
  const { sent } = await served.call('make', nested(20, { size: '3' }));
  expect(sent[0]).toContain('"size":3');
});

/** Its tools share parameters. */
function many(count: number): object {
  const shared = Array.from({ length: 12 }, (_, index) => ({
    name: `shared${index}`,
    in: 'query',
    description: 'Words that many operations have in common. '.repeat(6),
    schema: text,
  }));
  const paths = Array.from({ length: count }, (_, index) => [
    `/things${index}`,
    {
      get: {
        operationId: `list_${index}`,
        summary: `Lists ${index}.`,
        parameters: shared,
        responses: { 204: { description: 'Fine.' } },
      },
    },
  ]);
  return { ...info, paths: Object.fromEntries(paths) };
}

test('a list of megabytes is listed and called whole', async () => {
  const served = await serve(many(400));
  const names = served.tools.map(({ name }) => name);
  for (const client of await served.clients()) {
    const { tools, nextCursor } = await client.listTools();
    expect([tools.map(({ name }) => name), nextCursor]).toEqual([names, undefined]);
    expect(JSON.stringify(tools).length).toBeGreaterThan(1_000_000);
  }
  const { sent } = await served.call('list_things399', { shared11: 'x' });
  expect(sent[0]).toContain('GET /things399?shared11=x');
  expect((await served.call('list_things399', { shared12: 'x' })).words).toContain('did you mean');
});
