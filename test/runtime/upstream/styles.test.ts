/** The "Style Examples" tables of OpenAPI 3.0.4, 3.1.1 and 3.2.0, and what they leave open. */
import { expect, test } from 'vitest';
import type { HttpBinding, ParameterBinding } from '../../../templates/runtime/bindings.ts';
import { HeaderList } from '../../../templates/runtime/upstream/header-list.ts';
import { serialiseParameters } from '../../../templates/runtime/upstream/parameters.ts';

const STRING = 'blue';
const ARRAY = ['blue', 'black', 'brown'];
const OBJECT = { R: 100, G: 200, B: 150 };

function binding(parameter: Partial<ParameterBinding>): HttpBinding {
  const one = { argument: 'color', name: 'color', in: 'query' as const, ...parameter };
  return { kind: 'http', method: 'GET', path: one.in === 'path' ? '/{color}' : '/', parameters: [one] };
}

/** The serialised parameter alone: without `/`, `?` or the header's name. */
function serialise(parameter: Partial<ParameterBinding>, value: unknown): string | undefined {
  const sink = { headers: new HeaderList(), query: [], cookies: [] };
  const path = serialiseParameters(binding(parameter), { color: value }, sink);
  switch (parameter.in) {
    case 'path':
      return path.slice(1);
    case 'header':
      return sink.headers.get('color');
    case 'cookie':
      return sink.cookies.join('; ');
    default:
      return sink.query.join('&');
  }
}

test.each([
  // style, explode, value, want: the table, row by row (null stands for the `undefined` column)
  ['matrix', false, null, ';color'],
  ['matrix', false, '', ';color'],
  ['matrix', false, STRING, ';color=blue'],
  ['matrix', false, ARRAY, ';color=blue,black,brown'],
  ['matrix', false, OBJECT, ';color=R,100,G,200,B,150'],
  ['matrix', true, null, ';color'],
  ['matrix', true, STRING, ';color=blue'],
  ['matrix', true, ARRAY, ';color=blue;color=black;color=brown'],
  ['matrix', true, OBJECT, ';R=100;G=200;B=150'],
  ['matrix', true, [], ';color'],
  ['label', false, STRING, '.blue'],
  ['label', false, ARRAY, '.blue,black,brown'],
  ['label', false, OBJECT, '.R,100,G,200,B,150'],
  ['label', true, STRING, '.blue'],
  ['label', true, ARRAY, '.blue.black.brown'],
  ['label', true, OBJECT, '.R=100.G=200.B=150'],
  // before 3.0.4 and 3.1.1, where nothing is said of `explode`
  ['label', undefined, STRING, '.blue'],
  ['label', undefined, ARRAY, '.blue.black.brown'],
  ['label', undefined, OBJECT, '.R.100.G.200.B.150'],
  ['simple', false, STRING, 'blue'],
  ['simple', false, ARRAY, 'blue,black,brown'],
  ['simple', false, OBJECT, 'R,100,G,200,B,150'],
  ['simple', true, STRING, 'blue'],
  ['simple', true, ARRAY, 'blue,black,brown'],
  ['simple', true, OBJECT, 'R=100,G=200,B=150'],
] as const)('path %s explode=%s %j', (style, explode, value, want) => {
  expect(serialise({ in: 'path', style, ...(explode === undefined ? {} : { explode }) }, value)).toBe(want);
});

test.each([
  ['form', false, null, 'color='],
  ['form', false, '', 'color='],
  ['form', false, STRING, 'color=blue'],
  ['form', false, ARRAY, 'color=blue,black,brown'],
  ['form', false, OBJECT, 'color=R,100,G,200,B,150'],
  ['form', true, null, 'color='],
  ['form', true, STRING, 'color=blue'],
  ['form', true, ARRAY, 'color=blue&color=black&color=brown'],
  ['form', true, OBJECT, 'R=100&G=200&B=150'],
  ['spaceDelimited', false, ARRAY, 'color=blue%20black%20brown'],
  ['spaceDelimited', false, OBJECT, 'color=R%20100%20G%20200%20B%20150'],
  ['pipeDelimited', false, ARRAY, 'color=blue%7Cblack%7Cbrown'],
  ['pipeDelimited', false, OBJECT, 'color=R%7C100%7CG%7C200%7CB%7C150'],
  ['deepObject', true, OBJECT, 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
  ['deepObject', false, OBJECT, 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
  // n/a in the tables: exploded as `form` is, a scalar as it is
  ['spaceDelimited', true, ARRAY, 'color=blue&color=black&color=brown'],
  ['pipeDelimited', true, OBJECT, 'R=100&G=200&B=150'],
  ['pipeDelimited', false, STRING, 'color=blue'],
  ['deepObject', true, STRING, 'color=blue'],
  ['pipeDelimited', false, null, ''],
  ['deepObject', true, null, ''],
  // nothing to send leaves no trace (RFC 6570, section 2.3)
  ['form', true, [], ''],
  ['form', false, [], ''],
  ['form', true, {}, ''],
  ['form', true, [null], ''],
  ['pipeDelimited', false, [], ''],
  ['deepObject', true, {}, ''],
  ['form', true, ['a', null, 'b'], 'color=a&color=b'],
  ['form', true, { a: null, b: 2 }, 'b=2'],
  ['form', true, [''], 'color='],
] as const)('query %s explode=%s %j', (style, explode, value, want) => {
  expect(serialise({ in: 'query', style, explode }, value)).toBe(want);
});

test.each([
  ['simple', false, null, ''],
  ['simple', false, STRING, 'blue'],
  ['simple', false, ARRAY, 'blue,black,brown'],
  ['simple', false, OBJECT, 'R,100,G,200,B,150'],
  ['simple', true, ARRAY, 'blue,black,brown'],
  ['simple', true, OBJECT, 'R=100,G=200,B=150'],
  ['simple', false, 'a b/ü"%', Buffer.from('a b/ü"%').toString('latin1')],
  ['simple', false, [], undefined],
] as const)('header %s explode=%s %j', (style, explode, value, want) => {
  expect(serialise({ in: 'header', style, explode }, value)).toBe(want);
});

test.each([
  ['form', false, ARRAY, 'color=blue,black,brown'],
  ['form', false, OBJECT, 'color=R,100,G,200,B,150'],
  // "`&` is never correct" in cookies (Appendix D)
  ['form', true, ARRAY, 'color=blue; color=black; color=brown'],
  ['form', true, 'a b;c', 'color=a%20b%3Bc'],
  ['cookie', false, STRING, 'color=blue'],
  ['cookie', false, ARRAY, 'color=blue,black,brown'],
  ['cookie', false, OBJECT, 'color=R,100,G,200,B,150'],
  ['cookie', true, null, 'color='],
  ['cookie', true, ARRAY, 'color=blue; color=black; color=brown'],
  ['cookie', true, OBJECT, 'R=100; G=200; B=150'],
  ['cookie', true, 'a%20b/c', 'color=a%20b/c'],
] as const)('cookie %s explode=%s %j', (style, explode, value, want) => {
  expect(serialise({ in: 'cookie', style, explode }, value)).toBe(want);
});

test.each([
  ['path', ARRAY, 'blue,black,brown'],
  ['query', ARRAY, 'color=blue&color=black&color=brown'],
  ['header', OBJECT, 'R,100,G,200,B,150'],
  ['cookie', ARRAY, 'color=blue; color=black; color=brown'],
] as const)('the default style of %s', (location, value, want) => {
  expect(serialise({ in: location }, value)).toBe(want);
});

test('pipeDelimited is not exploded by default', () => {
  expect(serialise({ style: 'pipeDelimited' }, ['p', 'q'])).toBe('color=p%7Cq');
});

test.each([
  ['nested object', { a: { b: 1, c: { d: 2 } } }, 'color[a][b]=1&color[a][c][d]=2'],
  ['array of scalars', { ids: [1, 2] }, 'color[ids][]=1&color[ids][]=2'],
  [
    'array of objects',
    { rows: [{ a: 1, b: 2 }, { a: 3 }] },
    'color[rows][0][a]=1&color[rows][0][b]=2&color[rows][1][a]=3',
  ],
  ['array itself', ['x', 'y'], 'color[]=x&color[]=y'],
  ['null member', { a: null, b: 1 }, 'color[a]=&color[b]=1'],
  ['operators', { created: { gte: 5 } }, 'color[created][gte]=5'],
  ['a key that would end the pair', { 'a&b=c': 1 }, 'color[a%26b%3Dc]=1'],
])('deepObject: %s', (_, value, want) => {
  const encoded = want.replaceAll('[', '%5B').replaceAll(']', '%5D');
  expect(serialise({ style: 'deepObject' }, value)).toBe(encoded);
});

test.each([
  ['boolean', true, 'color=true'],
  ['number', 1.5, 'color=1.5'],
  ['large integer', 1e21, 'color=1000000000000000000000'],
  ['date', '2026-01-02T03:04:05+01:00', 'color=2026-01-02T03%3A04%3A05%2B01%3A00'],
  ['reserved and more', "a b+c&d=e/f?g#h'()*!", 'color=a%20b%2Bc%26d%3De%2Ff%3Fg%23h%27%28%29%2A%21'],
  ['unreserved', 'aZ09-._~', 'color=aZ09-._~'],
  ['beyond ASCII', 'ü✓', 'color=%C3%BC%E2%9C%93'],
  ['a lone surrogate', '\uD800', 'color=%EF%BF%BD'],
  ['a comma inside an item', ['a,b', 'c'], 'color=a%2Cb&color=c'],
  ['an object inside an array', [{ a: 1 }], 'color=%7B%22a%22%3A1%7D'],
])('values: %s', (_, value, want) => {
  expect(serialise({}, value)).toBe(want);
});

test('a delimiter stands bare, the same character inside a value does not', () => {
  expect(serialise({ explode: false }, ['a,b', 'c'])).toBe('color=a%2Cb,c');
});

test.each([
  ["a/b:c?d@e!$'()*,;=", "color=a/b:c?d@e!$'()*,;="],
  ['a b', 'color=a%20b'],
  ['100%', 'color=100%25'],
  ['x%2By', 'color=x%2By'],
  ['x^y', 'color=x%5Ey'],
  ['#[]&+', 'color=%23%5B%5D%26%2B'],
])('allowReserved in a query: %s', (value, want) => {
  expect(serialise({ allowReserved: true }, value)).toBe(want);
});

test.each([
  ['a/b:c&d=e+f', 'a/b:c&d=e+f'],
  ['a?b#c', 'a%3Fb%23c'],
  ['x%2Fy', 'x%2Fy'],
])('allowReserved in a path: %s', (value, want) => {
  expect(serialise({ in: 'path', allowReserved: true }, value)).toBe(want);
});

test.each([
  ['query', ' ', 'color=blue%20black%20brown'],
  ['query', '\t', 'color=blue%09black%09brown'],
  ['query', '|', 'color=blue%7Cblack%7Cbrown'],
  ['path', ' ', 'blue%20black%20brown'],
  ['path', '\t', 'blue%09black%09brown'],
  ['path', '|', 'blue%7Cblack%7Cbrown'],
  ['header', ' ', 'blue black brown'],
  ['header', '\t', 'blue\tblack\tbrown'],
  ['header', '|', 'blue|black|brown'],
] as const)('a list in %s, separated by %j', (place, separator, want) => {
  const explode = place === 'query' ? { explode: false } : {};
  expect(serialise({ in: place, separator, ...explode }, ARRAY)).toBe(want);
});

test('an exploded key is never reserved', () => {
  expect(serialise({ allowReserved: true }, { 'a=b&c': 'x/y' })).toBe('a%3Db%26c=x/y');
});

test.each([
  ['ids[]', 'ids%5B%5D=1'],
  ['$top', '%24top=1'],
  ['größe', 'gr%C3%B6%C3%9Fe=1'],
  ['❤️', '%E2%9D%A4%EF%B8%8F=1'],
])('a name as it is on the wire: %s', (name, want) => {
  expect(serialise({ name }, [1])).toBe(want);
});

test.each([
  [[], 'color='],
  [{}, 'color='],
  ['', 'color='],
])('allowEmptyValue: %j', (value, want) => {
  expect(serialise({ allowEmptyValue: true }, value)).toBe(want);
  expect(serialise({ allowEmptyValue: true, style: 'pipeDelimited' }, value)).toBe(want);
  expect(serialise({ allowEmptyValue: true, style: 'deepObject' }, value)).toBe(want);
});

test.each([
  ['query', 'application/json', { x: 1 }, 'color=%7B%22x%22%3A1%7D'],
  ['query', 'application/vnd.x+json', 'a', 'color=%22a%22'],
  ['query', 'application/json', null, 'color=null'],
  ['query', 'text/plain', 'a b', 'color=a%20b'],
  ['path', 'application/json', { x: 1 }, '%7B%22x%22%3A1%7D'],
  ['header', 'application/json', { x: 1 }, '{"x":1}'],
  ['cookie', 'application/json', { x: 1 }, 'color=%7B%22x%22%3A1%7D'],
] as const)('content in %s as %s: %j', (location, mediaType, value, want) => {
  expect(serialise({ in: location, mediaType }, value)).toBe(want);
});

test.each([
  ['application/x-www-form-urlencoded', { foo: 'a + b', bar: true }, 'foo=a+%2B+b&bar=true'],
  [
    'application/json',
    { numbers: [1, 2], flag: null },
    '%7B%22numbers%22%3A%5B1%2C2%5D%2C%22flag%22%3Anull%7D',
  ],
  ['application/jsonpath', '$.a.b[1:1]', '%24.a.b%5B1%3A1%5D'],
  ['text/plain', '?a=1&b[0]=x y#z', 'a=1&b%5B0%5D=x%20y%23z'],
])('querystring as %s', (mediaType, value, want) => {
  expect(serialise({ in: 'querystring', mediaType }, value)).toBe(want);
});

test('an absent argument leaves no trace', () => {
  expect(serialise({}, undefined)).toBe('');
});

test('arguments are own members only', () => {
  const sink = { headers: new HeaderList(), query: [], cookies: [] };
  serialiseParameters(binding({ argument: 'constructor' }), {}, sink);
  expect(sink.query).toEqual([]);
});
