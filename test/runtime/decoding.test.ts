/** Styles that can be read back are: whatever a value holds, a server that decodes as the style says gets it again. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { styles } from '../../templates/runtime/features/styles.ts';
import { makeRequest, type ParameterWriter } from '../../templates/runtime/request.ts';
import type { Parameter } from '../../templates/runtime/types.ts';

/** Any text that has a UTF-8 form. */
const text = fc.string({ unit: 'binary' });
const name = fc.string({ unit: 'binary', minLength: 1 });
/** Not none: that would be the empty list, which has no spelling of its own in most styles. */
const list = fc.array(text, { minLength: 1 });
const object = fc.dictionary(name, text, { minKeys: 1, noNullPrototype: true });

const setup = {
  api: { servers: [{ url: 'http://api.test' }], securitySchemes: {} },
  env: {},
  userAgent: '',
  parameters: styles().parts?.['parameters'] as Record<string, ParameterWriter>,
  bodies: {},
  credentials: {},
};

/** The path behind its first letter, and the query. */
function sent(parameter: Partial<Parameter>, value: unknown): { path: string; query: string } {
  const one: Parameter = { argument: 'a', name: 'n&=', in: 'query', ...parameter };
  const path = one.in === 'path' ? '/p{n&=}' : '/p';
  const { url } = makeRequest({ kind: 'http', method: 'GET', path, parameters: [one] }, { a: value }, setup);
  return { path: url.pathname.slice(2), query: url.search.slice(1) };
}

const decode = decodeURIComponent;
const pairsOf = (joined: string, separator: string, between = '='): [string, string][] =>
  joined.split(separator).map((pair) => {
    const at = pair.indexOf(between);
    return at === -1 ? [decode(pair), ''] : [decode(pair.slice(0, at)), decode(pair.slice(at + 1))];
  });
const entries = (value: Record<string, string>): [string, string][] => Object.entries(value);

/** Also what a request line could not hold would be seen here. */
function decodes<T>(
  values: fc.Arbitrary<T>,
  write: (value: T) => string,
  read: (written: string) => unknown,
  want: (value: T) => unknown = (value) => value,
): void {
  fc.assert(
    fc.property(values, (value) => {
      const written = write(value);
      expect(written).toMatch(/^[\x21-\x7e]*$/);
      expect(read(written)).toEqual(want(value));
    }),
  );
}

const inPath = (style: 'simple' | 'label' | 'matrix', explode: boolean) => (value: unknown) =>
  sent({ in: 'path', style, explode }, value).path;
const inQuery = (parameter: Partial<Parameter>) => (value: unknown) => sent(parameter, value).query;

test('path', () => {
  const filled = text.filter((value) => value !== '');
  decodes(filled, inPath('simple', false), decode);
  decodes(
    list.filter((items) => items.join() !== ''),
    inPath('simple', false),
    (path) => path.split(',').map(decode),
  );
  decodes(object, inPath('simple', true), (path) => pairsOf(path, ','), entries);
  decodes(list, inPath('label', false), (path) => path.slice(1).split(',').map(decode));
  decodes(object, inPath('matrix', true), (path) => pairsOf(path.slice(1), ';'), entries);
  decodes(
    list,
    inPath('matrix', true),
    (path) => pairsOf(path.slice(1), ';'),
    (items) => items.map((item) => ['n&=', item]),
  );
});

test('query', () => {
  const named = (items: readonly string[]): [string, string][] => items.map((item) => ['n&=', item]);
  decodes(
    text,
    inQuery({}),
    (query) => pairsOf(query, '&'),
    (value) => named([value]),
  );
  decodes(list, inQuery({}), (query) => pairsOf(query, '&'), named);
  decodes(object, inQuery({}), (query) => pairsOf(query, '&'), entries);
  decodes(list, inQuery({ explode: false }), (query) =>
    query.slice('n%26%3D='.length).split(',').map(decode),
  );
  decodes(
    object,
    inQuery({ style: 'deepObject' }),
    (query) => pairsOf(query, '&'),
    (value) => entries(value).map(([key, member]) => [`n&=[${key}]`, member]),
  );
});

test('query, as the form decoder of the URL Standard reads it', () => {
  decodes(object, inQuery({}), (query) => [...new URLSearchParams(query)], entries);
});

test('JSON in a parameter', () => {
  const json = (written: string): unknown => JSON.parse(decode(written));
  const parameter = { mediaType: 'application/json' };
  const value = fc.jsonValue().map((one) => JSON.parse(JSON.stringify(one)) as unknown);
  decodes(value, inQuery(parameter), (query) => json(query.slice('n%26%3D='.length)));
  decodes(value, (one) => sent({ ...parameter, in: 'path' }, one).path, json);
});
