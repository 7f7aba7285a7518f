/** Large documents: inputs that are listed in part are checked whole, and lists of megabytes come in pages. */
import { afterAll, expect, test } from 'vitest';
import { compile } from '../../src/api/compile.ts';
import { printBindings, printCatalog } from '../../src/emit/data-files.ts';
import { LARGEST_INPUT } from '../../src/derive/schema/cut-rendering.ts';
import { parsePooledJson } from '../../templates/runtime/contract/json-value.ts';
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

test('a list of megabytes has equal parts once, and is listed and called whole', async () => {
  const stdin = (): Promise<Buffer> => Promise.resolve(Buffer.from(JSON.stringify(many(400))));
  const { model } = await compile({ source: '-', stdin });
  if (model === undefined) throw new Error('The document has errors.');
  const catalog = printCatalog(model);
  const listed = (parsePooledJson(catalog) as { tools: object[] }).tools;
  expect(catalog.startsWith('{\n"pool":{\n')).toBe(true);
  expect(catalog.length * 2).toBeLessThan(JSON.stringify(listed).length);
  expect(JSON.stringify(JSON.parse(printBindings(model)))).toBeDefined();
  const served = await serve(many(400));
  for (const client of await served.clients()) expect((await client.listTools()).tools).toEqual(listed);
  const { sent } = await served.call('list_399', { shared11: 'x' });
  expect(sent[0]).toContain('GET /things399?shared11=x');
  expect((await served.call('list_399', { shared12: 'x' })).words).toContain('did you mean');
});

test('pages end at their bytes, and hold every tool once, however large the pages asked for', async () => {
  const limits = { pageBytes: 100_000 };
  const { DEFAULT_LIMITS } = await import('../../templates/runtime/contract/feature.ts');
  const served = await serve(many(400), { limits: { ...DEFAULT_LIMITS, ...limits }, pageSize: 1000 });
  const [client] = await served.clients();
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page = (await client?.listTools(cursor === undefined ? {} : { cursor })) ?? { tools: [] };
    expect(Buffer.byteLength(JSON.stringify(page.tools))).toBeLessThanOrEqual(limits.pageBytes);
    names.push(...page.tools.map(({ name }) => name));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(names).toEqual(served.tools.map(({ name }) => name));
});

test('a document that has the mark of a pool as data keeps it', async () => {
  const marked = many(400) as { paths: Record<string, { get: { parameters: object[] } }> };
  const [first] = Object.values(marked.paths);
  first?.get.parameters.push({ name: 'marked', in: 'query', schema: { default: { $: 'deadbeef' } } });
  const served = await serve(marked);
  const [client] = await served.clients();
  const { tools } = (await client?.listTools()) ?? { tools: [] };
  expect(JSON.stringify(tools[0]?.inputSchema)).toContain('{"$":"deadbeef"}');
});
