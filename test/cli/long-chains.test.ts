// Chains of thousands of references: the command ends well, and says what it could not take.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runInProcess } from './support/fake-host.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const LINKS = 5_000;

interface Row {
  keyword: string;
  link: (next: object) => object;
  /** Chains that are cut, each with a warning. Default 0. */
  cut?: number;
}

const rows: Row[] = [
  { keyword: '$ref', link: (next) => next },
  { keyword: 'properties', link: (next) => ({ type: 'object', properties: { next } }), cut: 1 },
  { keyword: 'items', link: (next) => ({ type: 'array', items: next }), cut: 1 },
  {
    keyword: 'additionalProperties',
    link: (next) => ({ type: 'object', additionalProperties: next }),
    cut: 1,
  },
  { keyword: 'anyOf', link: (next) => ({ anyOf: [next] }), cut: 10 },
  { keyword: 'allOf', link: (next) => ({ allOf: [next] }), cut: 9 },
  { keyword: 'allOf, members', link: (next) => ({ allOf: [next, { type: 'object' }] }), cut: 9 },
  { keyword: 'anyOf, members', link: (next) => ({ properties: { a: {} }, anyOf: [next] }), cut: 9 },
  { keyword: 'a $ref with siblings', link: (next) => ({ ...next, description: 'One more.' }), cut: 10 },
];

function documentOf(link: Row['link']): string {
  const to = (at: number) => ({ $ref: `#/components/schemas/S${at}` });
  const links = Array.from({ length: LINKS }, (_, at) => [`S${at}`, link(to(at + 1))]);
  const last = { type: 'object', properties: { id: { type: 'string' } } };
  const content = { 'application/json': { schema: to(0) } };
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Chain', version: '1' },
    servers: [{ url: 'https://api.example.com' }],
    paths: {
      '/a': {
        post: {
          operationId: 'a',
          parameters: [{ name: 'q', in: 'query', schema: to(0) }],
          requestBody: { content },
          responses: { 200: { description: 'Done', content } },
        },
      },
    },
    components: { schemas: { ...Object.fromEntries(links), [`S${LINKS}`]: last } },
  });
}

test.each(rows)('$keyword', async ({ link, cut = 0 }) => {
  const cwd = temporaryFolder();
  await writeFile(join(cwd, 'chain.json'), documentOf(link));
  const { exitCode, stderr } = await runInProcess(['openapi', 'chain.json', '-o', 'server', '--verbose'], {
    cwd,
  });
  expect(exitCode, stderr).toBe(0);
  expect(stderr.match(/schema-too-large|output-schema-left-out/g) ?? []).toHaveLength(cut);
});
