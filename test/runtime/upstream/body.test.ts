/** Bodies from a binding to the bytes: what no document says, and what `test/wire/bodies.test.ts` does not show. */
import * as writers from '../../../templates/runtime/upstream/multipart-body.ts';
import * as parameters from '../../../templates/runtime/upstream/parameter-styles.ts';
import { expect, test } from 'vitest';
import type { BodyBinding } from '../../../templates/runtime/contract/bindings.ts';
import { encodeBody } from '../../../templates/runtime/upstream/body.ts';
import { UpstreamError } from '../../../templates/runtime/upstream/upstream-error.ts';

/** A flattened body whose arguments are named like its properties. */
function flat(kind: BodyBinding['kind'], names: string[], more: Partial<BodyBinding> = {}): BodyBinding {
  const mediaType = { json: 'application/json', form: 'application/x-www-form-urlencoded' }[
    kind as 'json' | 'form'
  ];
  return {
    mediaType: mediaType ?? 'multipart/form-data',
    kind,
    properties: names.map((name) => ({ argument: name, name })),
    ...more,
  };
}

function whole(kind: BodyBinding['kind'], mediaType: string): BodyBinding {
  return { kind, mediaType, argument: 'body' };
}

function encode(
  binding: BodyBinding,
  args: Record<string, unknown>,
): [type: string, content: string] | undefined {
  const body = encodeBody(binding, args, { bodies: writers, parameters });
  return body && [body.contentType, body.content.toString('latin1')];
}

test.each([
  [whole('json', 'application/json'), { body: null }, 'application/json', 'null'],
  [whole('json', 'application/jsonl'), { body: ['a\nb', null] }, 'application/jsonl', '"a\\nb"\nnull\n'],
  [whole('json', 'application/json-seq'), { body: [1, {}] }, 'application/json-seq', '\x1e1\n\x1e{}\n'],
  [whole('json', 'application/geo+json-seq'), { body: [1] }, 'application/geo+json-seq', '\x1e1\n'],
  [whole('json', 'application/json-lines'), { body: [] }, 'application/json-lines', ''],
  [{ ...whole('json', 'application/jsonl'), required: true }, {}, 'application/jsonl', ''],
  [whole('text', 'text/csv'), { body: 1 }, 'text/csv', '1'],
  [whole('text', 'image/png'), { body: 'AAEC/w==' }, 'image/png', 'AAEC/w=='],
  [whole('binary', '*/*'), { body: 'AA' }, 'application/octet-stream', '\0'],
  [flat('json', ['__proto__']), JSON.parse('{"__proto__":1}'), 'application/json', '{"__proto__":1}'],
])('%j with %j', (binding, args, type, content) => {
  expect(encode(binding, args)).toEqual([type, content]);
});

test('what an optional body requires is required once a part of it is given', () => {
  const binding = flat('json', [], {
    properties: [
      { argument: 'name', name: 'name' },
      { argument: 'kind_body', name: 'kind' },
    ],
    requiredTogether: ['kind'],
  });
  expect(encode(binding, {})).toBeUndefined();
  expect(() => encode(binding, { name: 'x' })).toThrow(/also needs: kind_body/);
  expect(encode(binding, { name: 'x', kind_body: null })?.[1]).toBe('{"name":"x","kind":null}');
});

test('a body that needs a property is not sent without one', () => {
  const patch = flat('json', ['a', 'b'], { required: true, minProperties: 1 });
  expect(() => encode(patch, {})).toThrow('needs at least 1 of: a, b.');
  expect(encode(patch, { b: null })?.[1]).toBe('{"b":null}');
  expect(encode({ ...patch, required: false }, {})).toBeUndefined();
});

test('an encoding is looked up among own members only', () => {
  expect(encode(flat('form', ['constructor'], { encoding: {} }), { constructor: 'x' })?.[1]).toBe(
    'constructor=x',
  );
});

/** The parts of a multipart body, with the boundary it names. */
function parts(binding: BodyBinding, args: Record<string, unknown>): string[] {
  const [type, content] = encode(binding, args) ?? ['', ''];
  const boundary = /^multipart\/form-data; boundary=([\w-]+)$/.exec(type)?.[1];
  expect(boundary).toBeDefined();
  const pieces = content.split(`--${boundary}`);
  expect(pieces[0]).toBe('');
  expect(pieces.at(-1)).toBe('--\r\n');
  return pieces.slice(1, -1).map((piece) => piece.slice(2, -2));
}

const file = { argument: 'file', name: 'file', binary: true };
const disposition = 'Content-Disposition: form-data; name=';

test.each<[string, Partial<BodyBinding>, Record<string, unknown>, string[]]>([
  ...[
    ['charset=x;name=cat.png', 'image/png;charset=x', 'cat.png'],
    ['name=%22a%20b%22%C3%BC%0D%0A.png', 'image/png', '%22a b%22Ã¼%0D%0A.png'],
    ['Name="cat.png"', 'image/png', 'cat.png'],
    ['name=..%2F..%5Cetc%2Fcat.png', 'image/png', 'cat.png'],
    ['name=..%2F', 'image/png', 'file.png'],
    ['name=..', 'image/png', 'file.png'],
    ['name=', 'image/png', 'file.png'],
    ['name=%zz', 'image/png', '%zz'],
  ].map(([parameter, type, filename]): [string, Partial<BodyBinding>, Record<string, unknown>, string[]] => [
    `a file's name: ${parameter}`,
    { properties: [file] },
    { file: `data:image/png;${parameter};base64,/w==` },
    [`${disposition}"file"; filename="${filename}"\r\nContent-Type: ${type}\r\n\r\n\xff`],
  ]),
  [
    'content type of the document',
    {
      properties: [file],
      encoding: { file: { contentType: 'image/*, image/jpeg', headers: { 'X-A': 'b' } } },
    },
    { file: 'AA==' },
    [`${disposition}"file"; filename="file.jpg"\r\nContent-Type: image/jpeg\r\nX-A: b\r\n\r\n\0`],
  ],
  [
    'arrays repeat, nulls are left out',
    { properties: flat('multipart', ['t', 'z']).properties ?? [] },
    { t: ['a', { b: 1 }], z: null },
    [`${disposition}"t"\r\n\r\na`, `${disposition}"t"\r\nContent-Type: application/json\r\n\r\n{"b":1}`],
  ],
  [
    'a data: URI where the document declares text, JSON or a file',
    {
      properties: flat('multipart', ['t', 'j', 'f']).properties ?? [],
      encoding: {
        t: { contentType: 'text/plain' },
        j: { contentType: 'application/json' },
        f: { contentType: 'image/png' },
      },
    },
    { t: 'data:,a', j: 'data:,a', f: 'data:image/png;base64,/w==' },
    [
      `${disposition}"t"\r\nContent-Type: text/plain\r\n\r\ndata:,a`,
      `${disposition}"j"\r\nContent-Type: application/json\r\n\r\n"data:,a"`,
      `${disposition}"f"; filename="f.png"\r\nContent-Type: image/png\r\n\r\n\xff`,
    ],
  ],
  [
    'a data: URI that may be a file, and other values',
    { properties: ['f', 't', 'l'].map((name) => ({ argument: name, name, mayBeFile: true })) },
    { f: 'data:image/png;base64,/w==', t: '/w==', l: ['a', 'data:;base64,/w=='] },
    [
      `${disposition}"f"; filename="f.png"\r\nContent-Type: image/png\r\n\r\n\xff`,
      `${disposition}"t"\r\n\r\n/w==`,
      `${disposition}"l"\r\n\r\na`,
      `${disposition}"l"; filename="l.bin"\r\nContent-Type: application/octet-stream\r\n\r\n\xff`,
    ],
  ],
  [
    'objects as XML',
    {
      properties: flat('multipart', ['a', 'b']).properties ?? [],
      encoding: {
        a: { contentType: 'application/xml', xml: { root: { name: 'x' } } },
        b: { contentType: 'text/xml' },
      },
    },
    { a: [{ c: 1 }, 'text'], b: '<b/>' },
    [
      `${disposition}"a"\r\nContent-Type: application/xml\r\n\r\n<x><c>1</c></x>`,
      `${disposition}"a"\r\nContent-Type: application/xml\r\n\r\ntext`,
      `${disposition}"b"\r\nContent-Type: text/xml\r\n\r\n<b/>`,
    ],
  ],
  [
    'a scalar as JSON',
    {
      properties: flat('multipart', ['a']).properties ?? [],
      encoding: { a: { contentType: 'application/json' } },
    },
    { a: 'x' },
    [`${disposition}"a"\r\nContent-Type: application/json\r\n\r\n"x"`],
  ],
  [
    'style without percent-encoding',
    {
      properties: flat('multipart', ['t']).properties ?? [],
      encoding: { t: { style: 'form', explode: false } },
    },
    { t: ['a b', 'c'] },
    [`${disposition}"t"\r\n\r\na b,c`],
  ],
  [
    'a separator',
    {
      properties: flat('multipart', ['t']).properties ?? [],
      encoding: { t: { explode: false, separator: '|' } },
    },
    { t: ['a', 'b'] },
    [`${disposition}"t"\r\n\r\na|b`],
  ],
  [
    'a hostile name',
    { properties: [{ argument: 'a', name: 'a"\r\nX: y' }] },
    { a: 'x' },
    [`${disposition}"a%22%0D%0AX: y"\r\n\r\nx`],
  ],
])('multipart: %s', (_, more, args, want) => {
  expect(parts({ ...flat('multipart', []), ...more }, args)).toEqual(want);
});

const uri = 'data:image/png;base64,/w==';
const asFile = (name: string): string =>
  `${disposition}"${name}"; filename="${name}.png"\r\nContent-Type: image/png\r\n\r\n\xff`;
const asText = (name: string): string => `${disposition}"${name}"\r\n\r\n${uri}`;

test.each<[string, Partial<BodyBinding>, value: object, string[]]>([
  ['a data: URI', {}, { a: uri }, [asFile('a')]],
  ['what looks like one', {}, { a: 'data: 1,2' }, [`${disposition}"a"\r\n\r\ndata: 1,2`]],
  [
    'described bytes',
    { parts: { a: { binary: true } } },
    { a: '/w==' },
    [`${disposition}"a"; filename="a.bin"\r\nContent-Type: application/octet-stream\r\n\r\n\xff`],
  ],
  ['described text', { parts: { a: {} } }, { a: uri, b: uri }, [asText('a'), asFile('b')]],
  [
    'all others',
    { parts: { a: { mayBeFile: true } }, otherParts: {} },
    { a: uri, b: uri },
    [asFile('a'), asText('b')],
  ],
  ['a list', { parts: { a: { binary: true } } }, { a: [uri, uri] }, [asFile('a'), asFile('a')]],
  ['names are own members only', { parts: {} }, { constructor: uri }, [asFile('constructor')]],
])('multipart in one argument: %s', (_, more, value, want) => {
  expect(parts({ ...whole('multipart', 'multipart/form-data'), ...more }, { body: value })).toEqual(want);
});

test.each(['not base64!', 'AAAAA', 'A=AA', 'data:image/png;base64,***', 'data:,%F', 'data:nocomma', 7])(
  '%j is not bytes',
  (value) => {
    const attempt = (): unknown => encode(whole('binary', 'application/octet-stream'), { body: value });
    expect(attempt).toThrow(UpstreamError);
    expect(attempt).toThrow(/"body" must hold bytes/);
  },
);

test.each([
  ['AAEC/w==', [0, 1, 2, 255]],
  ['AAEC_w', [0, 1, 2, 255]],
  ['AAEC\r\n/w==\n', [0, 1, 2, 255]],
  ['', []],
  ['data:,a%20b', [97, 32, 98]],
  ['data:application/octet-stream,%FF%00ä', [255, 0, 195, 164]],
  ['DATA:application/x;base64,AAEC', [0, 1, 2]],
])('%j is bytes', (value, want) => {
  const body = encodeBody(whole('binary', 'application/octet-stream'), { body: value });
  expect([...(body?.content as Buffer)]).toEqual(want);
});

/** Decoded in steps of 262,144 characters, 196,608 bytes. */
test.each([196_607, 196_608, 196_609, 393_215, 600_001])('%i bytes come whole', (length) => {
  const bytes = Buffer.from(Array.from({ length }, (_, index) => index % 251));
  const lines = bytes.toString('base64').replace(/.{76}/g, '$&\n');
  for (const body of [bytes.toString('base64'), bytes.toString('base64url'), lines]) {
    const { content } = encodeBody(whole('binary', 'application/octet-stream'), { body }) ?? {};
    expect(bytes.equals(content as Buffer)).toBe(true);
  }
});

test.each([
  [flat('xml', ['a'], { mediaType: 'application/xml' }), { a: 1 }],
  [whole('xml', 'text/xml'), { body: { a: 1 } }],
])('XML from anything but a string is refused in words', (binding, args) => {
  expect(() => encode(binding, args)).toThrow(/takes XML/);
});

test('a form body that is no object is refused', () => {
  expect(() => encode(whole('form', 'application/x-www-form-urlencoded'), { body: [1] })).toThrow(
    /must be an object/,
  );
});
