import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  expandUriTemplate,
  matchUriTemplate,
  parseUriTemplate,
  UriTemplateError,
} from '../../../templates/runtime/uri-template/index.ts';

import {
  expandTemplate,
  isPlainTemplate,
  listTemplateVariables,
  matchTemplate,
} from '../../../templates/runtime/contract/patterns.ts';

type Found = Record<string, string | string[]>;

const matches: [template: string, uri: string, found: Found][] = [
  ['api://pets', 'api://pets', {}],
  ['api://pets/{id}', 'api://pets/7', { id: '7' }],
  ['api://pets/{id}', 'api://pets/a%2Fb%20c', { id: 'a/b c' }],
  ['api://pets/{id}', 'api://pets/a:b@c', { id: 'a:b@c' }],
  ['api://{a}/{b}', 'api://x/y', { a: 'x', b: 'y' }],
  ['{a}-{b}', 'x-y-z', { a: 'x-y', b: 'z' }],
  ['{a,b}', 'x,y', { a: 'x', b: 'y' }],
  ['{a,b}', 'x', { a: 'x' }],
  ['{list}', 'x,y%2Cz', { list: ['x', 'y,z'] }],
  ['{list*}', 'x', { list: ['x'] }],
  ['file:///{+path}', 'file:///a/b?c#d', { path: 'a/b?c#d' }],
  ['{+path}/{id}', 'a/b/c', { path: 'a/b', id: 'c' }],
  ['{+path}{?q}', 'a/b?q=1', { path: 'a/b', q: '1' }],
  ['{+path}/edit', 'a/edit/edit', { path: 'a/edit' }],
  ['{+path}', 'a,b', { path: 'a,b' }],
  ['page{#part}', 'page#a/b', { part: 'a/b' }],
  ['page{#part}', 'page', {}],
  ['{name}{.ext}', 'a.tar.gz', { name: 'a', ext: 'tar.gz' }],
  ['{name}{.ext}', 'a', { name: 'a' }],
  ['x{.a,b}', 'x.1.2', { a: '1', b: '2' }],
  ['x{.list*}', 'x.1.2', { list: ['1', '2'] }],
  ['/pets{/id}', '/pets', {}],
  ['/pets{/id}', '/pets/7', { id: '7' }],
  ['{/a}{/b}', '/x/y', { a: 'x', b: 'y' }],
  ['{/a}/{+rest}', '/1/2/3', { a: '1', rest: '2/3' }],
  ['{/list*}/end', '/1/2/end', { list: ['1', '2'] }],
  ['/p{;x,y}', '/p;y=2;x', { x: '', y: '2' }],
  ['/p{;x*}', '/p;x=1;x=2', { x: ['1', '2'] }],
  ['/p{?a,b}', '/p', {}],
  ['/p{?a,b}', '/p?b=2', { b: '2' }],
  ['/p{?a,b}', '/p?b=2&a=%26', { a: '&', b: '2' }],
  ['/p{?a,b}', '/p?a=', { a: '' }],
  ['/p{?a}{&b}', '/p?b=1&a=2', { a: '2', b: '1' }],
  ['/p?v=1{&b}', '/p?v=1&b=2', { b: '2' }],
  ['/p{?a}', '/p?a=1,2', { a: ['1', '2'] }],
  ['/p{?a*}', '/p?a=1&a=2', { a: ['1', '2'] }],
  ['/{id:2}', '/ab', { id: 'ab' }],
  ['/{id:1}/{id}', '/a/abc', { id: 'abc' }],
  ['/{id}/{id}', '/a/a', { id: 'a' }],
  ['/ü/{a}', '/%c3%bc/x', { a: 'x' }],
];

test.each(matches)('%s matches %s', (template, uri, found) => {
  expect({ ...matchUriTemplate(template, uri) }).toEqual(found);
  expect(matchUriTemplate(template, uri)).toBeDefined();
});

test.each([
  ['api://pets', 'api://pets/'],
  ['api://pets/{id}', 'api://pets/'],
  ['api://pets/{id}', 'api://pets/a/b'],
  ['api://pets/{id}', 'api://pets/../secrets'],
  ['api://pets/{id}', 'api://pets/a?b'],
  ['api://pets/{id}', 'api://pets/a#b'],
  ['api://pets/{id}', 'api://pets/%zz'],
  ['api://pets/{id}', 'api://pets/%ff'],
  ['api://pets/{id}', 'api://petsx7'],
  ['{a,b}', 'x,y,z'],
  ['/pets{/id}', '/pets/7/8'],
  ['/p{?a}', '/p?b=1'],
  ['/p{?a}', '/p?a=1&a=2'],
  ['/p{?a}', '/p?'],
  ['/p{?a}', '/p&a=1'],
  ['/p{;a}', '/p;a=1/x'],
  ['/{id:2}', '/abc'],
  ['/{id}/{id}', '/a/b'],
  ['/{id:1}/{id}', '/b/abc'],
  ['/p{?constructor}', '/p?toString=1'],
])('%s does not match %s', (template, uri) => {
  expect(matchUriTemplate(template, uri)).toBeUndefined();
});

test('a variable may have any name', () => {
  const found = matchUriTemplate('/{__proto__}/{constructor}', '/a/b');
  expect(Object.entries(found ?? {})).toEqual([
    ['__proto__', 'a'],
    ['constructor', 'b'],
  ]);
});

test('a malformed template throws', () => {
  expect(() => matchUriTemplate('{', 'x')).toThrow(UriTemplateError);
});

test('a hostile URI takes no time to speak of', () => {
  const many = Array.from({ length: 12 }, (_, index) => `{v${index}}-`).join('');
  expect(matchUriTemplate(`${many}end`, '-a'.repeat(15_000))).toBeUndefined();
  expect(matchUriTemplate('{+a}{+b}{+c}{+d}!', 'x'.repeat(60_000))).toBeUndefined();
  expect(matchUriTemplate('{+a}', 'x'.repeat(70_000))).toBeUndefined();
});

const templates = [
  '/{a}/{b}',
  '/x{/a,b}',
  '/{a}{?b,c}',
  'f:///{+a}',
  '/{a}{#b}',
  '/p{;a,b}',
  'x{.a}',
  '/{a:3}',
  '/x{/a*}',
  '{?a*}',
];

test('what an expansion writes, a match reads', () => {
  const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 6 });
  const value = fc.record({ a: text, b: text, c: text });
  fc.assert(
    fc.property(fc.constantFrom(...templates), value, (template, variables) => {
      const uri = expandUriTemplate(template, variables);
      const found = matchUriTemplate(template, uri);
      expect(found, uri).toBeDefined();
      expect(expandUriTemplate(template, { ...found }).replaceAll('%25', '%')).toBe(
        uri.replaceAll('%25', '%'),
      );
    }),
    { seed: 6570, numRuns: 3_000 },
  );
});

test('plain templates match and expand as all others do', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', '/', '.', '-', ',', '%', '2', 'F', 'f', '?', '#', 'é', ' '),
    maxLength: 8,
  });
  const part = fc.oneof(
    fc.constantFrom('{a}', '{b}', '{c}'),
    text.filter((each) => !/[{}]/.test(each)),
  );
  const template = fc.array(part, { maxLength: 5 }).map((parts) => parts.join(''));
  const value = fc.oneof(
    text,
    fc.integer(),
    fc.array(text, { maxLength: 2 }),
    fc.constant(undefined),
    fc.dictionary(text, text, { maxKeys: 2 }),
  );
  fc.assert(
    fc.property(template, fc.record({ a: value, b: value, c: value }), text, (source, variables, other) => {
      fc.pre(isPlainTemplate(source));
      const expanded = expandUriTemplate(source, variables);
      expect(expandTemplate(source, variables)).toBe(expanded);
      for (const uri of [expanded, other, expanded + other])
        expect(matchTemplate(source, uri)).toEqual(matchUriTemplate(source, uri));
      expect(listTemplateVariables(source)).toEqual(
        parseUriTemplate(source).flatMap((each) =>
          'literal' in each ? [] : each.variables.map(({ name }) => name),
        ),
      );
    }),
    { numRuns: 3_000 },
  );
});
