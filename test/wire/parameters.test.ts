/** Cases that the style tables leave open: other values, names, `content`, and the fields beside `style`. */
import { parameterRow, proveRows, type Row } from './prove-rows.ts';

const ARRAY = ['blue', 'black', 'brown'];
const OBJECT = { R: 100, G: 200, B: 150 };

/** Any value is taken, so that each row says what is sent for it. */
const anything = { schema: {} };

function row(says: string, parameter: object, value: unknown, want: string | RegExp): Row {
  const json = JSON.stringify(value);
  return parameterRow(`${says}: ${json} → ${String(want)}`, { ...anything, ...parameter }, value, want);
}

/** In the query, as `form` explodes it. */
const VALUES: [value: unknown, want: string][] = [
  [true, '?color=true'],
  [-1.5, '?color=-1.5'],
  [1e21, '?color=1000000000000000000000'],
  [5e-324, '?color=5e-324'],
  ['2026-01-02T03:04:05+01:00', '?color=2026-01-02T03%3A04%3A05%2B01%3A00'],
  ["a b+c&d=e/f?g#h'()*!", '?color=a%20b%2Bc%26d%3De%2Ff%3Fg%23h%27%28%29%2A%21'],
  ['aZ09-._~', '?color=aZ09-._~'],
  ['ü✓', '?color=%C3%BC%E2%9C%93'],
  ['\uD800', '?color=%EF%BF%BD'],
  [null, '?color='],
  [['a,b', 'c'], '?color=a%2Cb&color=c'],
  [[true, 2, null, 'x'], '?color=true&color=2&color=x'],
  [[''], '?color='],
  [[{ a: 1 }], '?color=%7B%22a%22%3A1%7D'],
  [{ a: null, b: 2 }, '?b=2'],
  [{ a: [1, 2] }, '?a=%5B1%2C2%5D'],
  // RFC 6570, section 2.3: what is undefined leaves no trace
  [[], ''],
  [{}, ''],
  [[null], ''],
];

/** The styles where the tables say n/a, or nothing. */
const OPEN: [parameter: object, value: unknown, want: string][] = [
  [{ explode: false }, ['a,b', 'c'], '?color=a%2Cb,c'],
  [{ explode: false }, [], ''],
  [{ explode: false }, null, '?color='],
  [{ style: 'spaceDelimited' }, ARRAY, '?color=blue%20black%20brown'],
  [{ style: 'spaceDelimited', explode: true }, ARRAY, '?color=blue&color=black&color=brown'],
  [{ style: 'pipeDelimited' }, ['p|q', 'r'], '?color=p%7Cq%7Cr'],
  [{ style: 'pipeDelimited', explode: true }, OBJECT, '?R=100&G=200&B=150'],
  [{ style: 'pipeDelimited' }, 'blue', '?color=blue'],
  [{ style: 'pipeDelimited' }, [], ''],
  [{ style: 'deepObject', explode: false }, { R: 100 }, '?color%5BR%5D=100'],
  [{ style: 'deepObject' }, 'blue', '?color=blue'],
  [{ style: 'deepObject' }, {}, ''],
  // what a location does by itself
  [{ in: 'path' }, ARRAY, 'pblue,black,brown'],
  [{ in: 'header' }, OBJECT, '\ncolor: R,100,G,200,B,150'],
  [{ in: 'header' }, null, '\ncolor: '],
  [{ in: 'cookie' }, ARRAY, '\nCookie: color=blue; color=black; color=brown'],
  [{ in: 'path', style: 'matrix', explode: true }, [], 'p;color'],
  [{ in: 'path', style: 'matrix' }, null, 'p;color'],
  [{ in: 'path' }, 'a/b?c#d', 'pa%2Fb%3Fc%23d'],
  [{ in: 'header' }, 'a b/ü"%', '\ncolor: a b/ü"%'],
  [{ in: 'cookie' }, 'a b;c', '\nCookie: color=a%20b%3Bc'],
];

/** deepObject beyond one level of scalars, as frameworks read it. */
const DEEP: [value: unknown, want: string][] = [
  [{ a: { b: 1, c: { d: 2 } } }, 'color[a][b]=1&color[a][c][d]=2'],
  [{ ids: [1, 2] }, 'color[ids][]=1&color[ids][]=2'],
  [{ rows: [{ a: 1, b: 2 }, { a: 3 }] }, 'color[rows][0][a]=1&color[rows][0][b]=2&color[rows][1][a]=3'],
  [['x', 'y'], 'color[]=x&color[]=y'],
  [{ a: null, b: true }, 'color[a]=&color[b]=true'],
  [{ created: { gte: 5 } }, 'color[created][gte]=5'],
  [{ 'a&b=c': 1 }, 'color[a%26b%3Dc]=1'],
];

const RESERVED: [parameter: object, value: unknown, want: string][] = [
  [{}, 'a/b:c?d@e!$()*,;=', '?color=a/b:c?d@e!$()*,;='],
  [{}, 'a b', '?color=a%20b'],
  [{}, '100%', '?color=100%25'],
  [{}, 'x%2By', '?color=x%2By'],
  [{}, 'x^y', '?color=x%5Ey'],
  [{}, '#[]&+', '?color=%23%5B%5D%26%2B'],
  [{}, { 'a=b&c': 'x/y' }, '?a%3Db%26c=x/y'],
];

/** `allowReserved` is for any location since 3.2. */
const RESERVED_ELSEWHERE: [parameter: object, value: unknown, want: string][] = [
  [{ in: 'path' }, 'a/b:c&d=e+f', 'pa/b:c&d=e+f'],
  [{ in: 'path' }, 'a?b#c', 'pa%3Fb%23c'],
  [{ in: 'path' }, 'x%2Fy', 'px%2Fy'],
  [{ in: 'cookie' }, 'a/b,c;d', '\nCookie: color=a/b%2Cc%3Bd'],
];

/** Characters allowed on the wire, but not in an argument's name. */
const NAMES: [name: string, want: string][] = [
  ['ids[]', '?ids%5B%5D=1&ids%5B%5D=2'],
  ['$top', '?%24top=1&%24top=2'],
  ['constructor', '?constructor=1&constructor=2'],
  ['a&b=c', '?a%26b%3Dc=1&a%26b%3Dc=2'],
];

const EMPTY: [schema: object, value: unknown][] = [
  [{ type: 'array', items: {} }, []],
  [{ type: 'object' }, {}],
  [{ type: 'string' }, ''],
  [{ type: 'integer' }, ''],
];

const CONTENT: [place: object, mediaType: string, value: unknown, want: string][] = [
  [{}, 'application/json', { x: 1 }, '?color=%7B%22x%22%3A1%7D'],
  [{}, 'application/vnd.x+json', 'a', '?color=%22a%22'],
  [{}, 'application/json', null, '?color=null'],
  [{}, 'text/plain', 'a b', '?color=a%20b'],
  [{}, 'application/x-www-form-urlencoded', { a: 'b c' }, '?color=a%3Db%2Bc'],
  [{ in: 'path' }, 'application/json', { x: 1 }, 'p%7B%22x%22%3A1%7D'],
  [{ in: 'header' }, 'application/json', { x: 1 }, '\ncolor: {"x":1}'],
  [{ in: 'cookie' }, 'application/json', { x: 1 }, '\nCookie: color=%7B%22x%22%3A1%7D'],
];

const REFUSED: [parameter: object, value: unknown, want: RegExp][] = [
  [
    { in: 'header' },
    'a\r\nX-Evil: 1',
    /"color" can't be sent: (?:a header value|it) must not hold line breaks/,
  ],
  [
    { in: 'header' },
    'a\x7F',
    /"color" can't be sent: (?:a header value|it) must not hold .* control characters/,
  ],
  [{ in: 'path' }, null, /"color" is empty, which would reach another resource|needs a value for "color"/],
  [{ in: 'path' }, [], /"color" is empty, which would reach another resource|needs a value for "color"/],
  [{ in: 'path' }, {}, /"color" is empty, which would reach another resource|needs a value for "color"/],
];

const everywhere = [
  ...VALUES.map(([value, want]) => row('a value', {}, value, `GET /${want}`)),
  ...OPEN.map(([parameter, value, want]) => row(JSON.stringify(parameter), parameter, value, `GET /${want}`)),
  ...DEEP.map(([value, want]) =>
    row('deepObject', { style: 'deepObject' }, value, `GET /?${bracketsEncoded(want)}`),
  ),
  ...RESERVED.map(([parameter, value, want]) =>
    row('allowReserved', { ...parameter, allowReserved: true }, value, `GET /${want}`),
  ),
  ...NAMES.map(([name, want]) => row('a name', { name }, [1, 2], `GET /${want}`)),
  ...EMPTY.flatMap(([schema, value]) =>
    ['form', 'pipeDelimited', 'deepObject'].map((style) =>
      row(`allowEmptyValue, ${style}`, { schema, style, allowEmptyValue: true }, value, 'GET /?color='),
    ),
  ),
  ...CONTENT.map(([place, mediaType, value, want]) =>
    row(mediaType, { ...place, schema: undefined, content: { [mediaType]: {} } }, value, `GET /${want}`),
  ),
  row(
    'XML, which comes whole',
    { schema: undefined, content: { 'application/xml': { schema: { type: 'object' } } } },
    '<a/>',
    'GET /?color=%3Ca%2F%3E',
  ),
  ...REFUSED.map(([parameter, value, want]) => row('refused', parameter, value, want)),
  row('not given', {}, undefined, 'GET /'),
  row('not given', { name: 'constructor' }, undefined, 'GET /'),
];

/** OpenAPI 3.2 alone. */
const COOKIE: [explode: boolean, value: unknown, want: string | RegExp][] = [
  [true, null, 'color='],
  [true, 'a%20b/c', 'color=a%20b/c'],
  [true, [], ''],
  [false, 'a;b', /"color" can't be sent: a cookie must not hold ";"/],
];

const QUERYSTRING: [mediaType: string, value: unknown, want: string][] = [
  ['application/x-www-form-urlencoded', { foo: 'a + b', bar: true }, 'foo=a+%2B+b&bar=true'],
  [
    'application/json',
    { numbers: [1, 2], flag: null },
    '%7B%22numbers%22%3A%5B1%2C2%5D%2C%22flag%22%3Anull%7D',
  ],
  ['application/jsonpath', '$.a.b[1:1]', '%24.a.b%5B1%3A1%5D'],
  ['text/plain', '?a=1&b[0]=x y#z', 'a=1&b%5B0%5D=x%20y%23z'],
];

const FORM = 'application/x-www-form-urlencoded';
/** OpenAPI 3.2, "Encoding Object": of the properties of a query that is one form, as of a body. */
const ENCODINGS: [encoding: object, value: object, want: string][] = [
  [{ t: { explode: false } }, { t: ['a', 'b c'], u: ['d', 'e'] }, 't=a,b%20c&u=d&u=e'],
  [{ m: { style: 'deepObject', explode: true } }, { m: { a: { b: 1 } } }, 'm%5Ba%5D%5Bb%5D=1'],
];

const since32 = [
  ...ENCODINGS.map(([encoding, value, want]) =>
    row(
      `querystring with the encoding ${JSON.stringify(encoding)}`,
      { in: 'querystring', schema: undefined, content: { [FORM]: { encoding } } },
      value,
      `GET /?${want}`,
    ),
  ),
  row(
    'one parameter that is a form',
    { schema: undefined, content: { [FORM]: { encoding: { t: { explode: false } } } } },
    { t: ['a', 'b'] },
    'GET /?color=t%3Da%2Cb',
  ),
  row(
    'a sequence of JSON',
    { schema: undefined, content: { 'application/jsonl': { itemSchema: { type: 'integer' } } } },
    [1, 2],
    'GET /?color=1%0A2%0A',
  ),
  row(
    'an item of a sequence',
    { schema: undefined, content: { 'application/jsonl': { itemSchema: { type: 'integer' } } } },
    ['a'],
    /`color\[0\]` must be an integer/,
  ),
  ...RESERVED_ELSEWHERE.map(([parameter, value, want]) =>
    row('allowReserved', { ...parameter, allowReserved: true }, value, `GET /${want}`),
  ),
  ...COOKIE.map(([explode, value, want]) =>
    row(
      `cookie, explode ${explode}`,
      { in: 'cookie', style: 'cookie', explode },
      value,
      want instanceof RegExp ? want : want === '' ? 'GET /' : `GET /\nCookie: ${want}`,
    ),
  ),
  ...QUERYSTRING.map(([mediaType, value, want]) =>
    row(
      'querystring',
      { in: 'querystring', schema: undefined, content: { [mediaType]: {} } },
      value,
      `GET /?${want}`,
    ),
  ),
];

proveRows('3.0.4', everywhere);
proveRows('3.1.1', everywhere);
proveRows('3.2.0', [...everywhere, ...since32]);

function bracketsEncoded(text: string): string {
  return text.replaceAll('[', '%5B').replaceAll(']', '%5D');
}
