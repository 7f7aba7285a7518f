/** Turns rows of a table into tests: one document for all of them, one call for each. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Served, serveDocument } from './serve-document.ts';

export interface Row {
  says: string;
  /** An Operation Object, without its responses; its path is `/`, or `path`. */
  operation: object;
  method?: string;
  path?: string;
  /** The arguments by name, or their JSON text; or the value of the only argument. Neither: no argument is given. */
  args?: object | string;
  value?: unknown;
  /** The request, as `requestText` writes it; or the words of the refusal, which nothing is sent after. */
  want: string | RegExp;
}

/** A test for each row, against a document of this release (`2.0`, `3.0.0` …) with these schemas of its own. */
export function proveRows(release: string, rows: readonly Row[], schemas: object = {}): void {
  describe(release, () => {
    let served: Served;
    beforeAll(async () => {
      served = await serveDocument(documentOf(release, rows, schemas));
    });
    afterAll(() => served.close());

    test.each(rows.map((row, index) => ({ ...row, index })))('$says', async ({ index, want, ...row }) => {
      const tool = `row${index}`;
      const { sent, words, isError } = await served.call(tool, argumentsOf(served, tool, row));
      if (want instanceof RegExp) {
        expect(sent).toEqual([]);
        expect(words).toMatch(want);
        expect(isError).toBe(true);
      } else {
        expect(isError ? words : '').toBe('');
        expect(sent.map((request) => request.replace(`/${tool}/`, '/'))).toEqual([want]);
      }
    });
  });
}

function documentOf(release: string, rows: readonly Row[], schemas: object): object {
  const paths = rows.map(({ operation, path = '/', method = 'get' }, index) => [
    `/row${index}${path}`,
    { [method]: { operationId: `row${index}`, responses: { 204: { description: 'Done.' } }, ...operation } },
  ]);
  const info = { title: 'Wire', version: '1' };
  const version = release === '2.0' ? { swagger: '2.0', host: 'localhost' } : { openapi: release };
  const servers = release === '2.0' ? {} : { servers: [{ url: 'http://localhost' }] };
  const named = release === '2.0' ? { definitions: schemas } : { components: { schemas } };
  return { ...version, info, ...servers, ...named, paths: Object.fromEntries(paths) };
}

/** A client's reading of the list. */
function argumentsOf({ tools }: Served, name: string, { args, value }: Omit<Row, 'want'>): object | string {
  if (args !== undefined) return args;
  if (value === undefined) return {};
  const { properties = {} } = tools.find((tool) => tool.name === name)?.inputSchema ?? {};
  const [argument, ...others] = Object.keys(properties);
  if (argument === undefined || others.length > 0) throw new Error(`${name} has not one argument.`);
  return { [argument]: value };
}

/** A row of one parameter, called `color` in the query where it does not say otherwise. */
export function parameterRow(says: string, parameter: object, value: unknown, want: string | RegExp): Row {
  const named: { name: string; in: string } = { name: 'color', in: 'query', ...parameter };
  const inPath = named.in === 'path' ? { required: true } : {};
  return {
    says,
    operation: { parameters: [{ ...named, ...inPath }] },
    // Not a segment of its own, so that nothing is one that would be refused.
    ...(named.in === 'path' ? { path: `/p{${named.name}}` } : {}),
    value,
    want,
  };
}
