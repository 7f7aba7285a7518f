import { expect, test } from 'vitest';
import { openServer } from '../harness.ts';

const inputSchema = { type: 'object' as const };
const icons = [{ src: 'https://a.example/i.png' }];
const full = {
  tools: [
    {
      name: 'a',
      title: 'A',
      description: 'Does a.',
      icons,
      inputSchema: {
        ...inputSchema,
        $defs: { x: { title: 'X' } },
        properties: { title: { $ref: '#/$defs/x' } },
      },
      outputSchema: inputSchema,
      annotations: { readOnlyHint: true },
    },
  ],
  resources: [
    {
      uri: 'a:r',
      name: 'r',
      title: 'R',
      icons,
      size: 3,
      annotations: { priority: 1, lastModified: '2026-01-01T00:00:00Z' },
    },
  ],
  resourceTemplates: [{ uriTemplate: 'a:{id}', name: 't', title: 'T', icons, mimeType: 'text/plain' }],
  prompts: [
    {
      name: 'p',
      title: 'P',
      icons,
      description: 'd',
      arguments: [{ name: 'x', title: 'X', required: true }],
    },
  ],
};

const withoutIcons = (item: object) =>
  Object.fromEntries(Object.entries(item).filter(([name]) => name !== 'icons'));

const schema = full.tools[0]?.inputSchema;

test.each([
  [
    '2024-11-05',
    {
      tools: [{ name: 'a', description: 'Does a.', inputSchema: schema }],
      resources: [{ uri: 'a:r', name: 'r', size: 3, annotations: { priority: 1 } }],
      resourceTemplates: [{ uriTemplate: 'a:{id}', name: 't', mimeType: 'text/plain' }],
      prompts: [{ name: 'p', description: 'd', arguments: [{ name: 'x', required: true }] }],
    },
  ],
  [
    '2025-03-26',
    {
      tools: [
        {
          name: 'a',
          description: 'Does a.',
          inputSchema: schema,
          annotations: { title: 'A', readOnlyHint: true },
        },
      ],
      resources: [{ uri: 'a:r', name: 'r', size: 3, annotations: { priority: 1 } }],
      resourceTemplates: [{ uriTemplate: 'a:{id}', name: 't', mimeType: 'text/plain' }],
      prompts: [{ name: 'p', description: 'd', arguments: [{ name: 'x', required: true }] }],
    },
  ],
  [
    '2025-06-18',
    {
      tools: full.tools.map(withoutIcons),
      resources: full.resources.map(withoutIcons),
      resourceTemplates: full.resourceTemplates.map(withoutIcons),
      prompts: full.prompts.map(withoutIcons),
    },
  ],
  ['2025-11-25', full],
] as const)('%s is told the members it knows', async (revision, want) => {
  const server = await openServer({ catalog: full }, revision);
  expect((await server.ask('tools/list')).result).toEqual({ tools: want.tools });
  expect((await server.ask('resources/list')).result).toEqual({ resources: want.resources });
  expect((await server.ask('resources/templates/list')).result).toEqual({
    resourceTemplates: want.resourceTemplates,
  });
  expect((await server.ask('prompts/list')).result).toEqual({ prompts: want.prompts });
});

test('a server with templates only lists no resources', async () => {
  const server = await openServer({ catalog: { resourceTemplates: full.resourceTemplates } });
  expect((await server.ask('resources/list')).result).toEqual({ resources: [] });
});

/** MCP's own. */
const defaults = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

test('hints of an extra tool are listed, with those that follow from them', async () => {
  const annotations = { readOnlyHint: true, openWorldHint: false };
  const extra = { name: 'z', inputSchema, annotations, handler: () => 1 };
  const server = await openServer({ handlers: { extraTools: [extra] } });
  const want = { ...annotations, destructiveHint: false, idempotentHint: true };
  expect((await server.ask('tools/list')).result).toMatchObject({ tools: [{ annotations: want }] });
});

test('an extra tool that says it reads and destroys is listed as destructive', async () => {
  const annotations = { readOnlyHint: true, destructiveHint: true };
  const extra = { name: 'z', inputSchema, annotations, handler: () => 1 };
  const server = await openServer({ handlers: { extraTools: [extra] } });
  expect((await server.ask('tools/list')).result).toMatchObject({
    tools: [{ annotations: { ...annotations, readOnlyHint: false } }],
  });
});

const tools = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, inputSchema }));

test('extra tools are listed behind the others, and a prompt of a listed name takes its place', async () => {
  const server = await openServer({
    catalog: { tools: tools.slice(0, 1), prompts: [{ name: 'p', description: 'old' }] },
    handlers: {
      extraTools: [{ name: 'z', inputSchema, handler: () => 1 }],
      prompts: { p: { description: 'new', handler: () => '' }, q: { handler: () => '' } },
    },
  });
  expect((await server.ask('tools/list')).result).toEqual({
    tools: [
      { name: 'a', inputSchema },
      { name: 'z', inputSchema, annotations: defaults },
    ],
  });
  expect((await server.ask('prompts/list')).result).toEqual({
    prompts: [{ name: 'p', description: 'new' }, { name: 'q' }],
  });
});

const LISTS = [
  ['tools', 'tools/list'],
  ['resources', 'resources/list'],
  ['resourceTemplates', 'resources/templates/list'],
  ['prompts', 'prompts/list'],
] as const;

/** Items of 200 bytes or so; one is longer than a page. */
const longLists = Object.fromEntries(
  LISTS.map(([list]) => [
    list,
    Array.from({ length: 12 }, (_, at) => {
      const name = `${list}${at}`;
      const keys = { uri: `a:${name}`, uriTemplate: `a:${name}/{id}`, inputSchema };
      return { ...keys, name, description: (at === 7 ? 'ü'.repeat(1_500) : 'ü'.repeat(40)).slice(at) };
    }),
  ]),
);

async function pagesOf(parts: Parameters<typeof openServer>[0], list: string, method: string) {
  const server = await openServer(parts);
  const pages: object[][] = [];
  for (let params = {}, isMore = true; isMore;) {
    const { result = {} } = await server.ask(method, params);
    // Twice: the second time from the cache.
    expect((await server.ask(method, params)).result).toEqual(result);
    pages.push(result[list] as object[]);
    params = { cursor: result['nextCursor'] };
    isMore = 'nextCursor' in result;
  }
  return pages;
}

test.each(LISTS)('a page of %s ends at `pageBytes`, whatever the size of pages', async (list, method) => {
  for (const pageSize of [undefined, 100]) {
    const pages = await pagesOf({ catalog: longLists, pageSize, limits: { pageBytes: 1_000 } }, list, method);
    expect(pages.flat()).toEqual(longLists[list]);
    expect(pages.length).toBeGreaterThan(3);
    const sizes = pages.map((page) => Buffer.byteLength(JSON.stringify(page)));
    expect(sizes.filter((size) => size > 1_000)).toHaveLength(1);
    expect(pages.find((page) => Buffer.byteLength(JSON.stringify(page)) > 1_000)).toHaveLength(1);
  }
  const short = await pagesOf(
    { catalog: longLists, pageSize: 2, limits: { pageBytes: 1_000 } },
    list,
    method,
  );
  expect(short.flat()).toEqual(longLists[list]);
  expect(Math.max(...short.map(({ length }) => length))).toBe(2);
});

test('a list that fits is one page', async () => {
  const whole = JSON.stringify(longLists['tools']);
  const limits = { pageBytes: Buffer.byteLength(whole) };
  expect(await pagesOf({ catalog: longLists, limits }, 'tools', 'tools/list')).toHaveLength(1);
  const less = { pageBytes: Buffer.byteLength(whole) - 1 };
  expect(await pagesOf({ catalog: longLists, limits: less }, 'tools', 'tools/list')).toHaveLength(2);
});
