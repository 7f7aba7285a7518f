import fc from 'fast-check';
import { expect, test } from 'vitest';
import { uriTemplates } from '../../../templates/runtime/features/uri-templates.ts';
import type { ExpandTemplate, MatchTemplate } from '../../../templates/runtime/features/resources.ts';

const { templates: matching, expansions } = uriTemplates().parts ?? {};
const match = matching?.['match'] as MatchTemplate;
const expand = expansions?.['expand'] as ExpandTemplate;

type Found = Record<string, string | string[]>;

const matches: [template: string, uri: string, found: Found][] = [
  ['api://pets/{id}', 'api://pets/7', { id: '7' }],
  ['api://pets/{id}', 'api://pets/a%2Fb%20c', { id: 'a/b c' }],
  ['{a}-{b}', 'x-y-z', { a: 'x-y', b: 'z' }],
  ['{a,b}', 'x,y', { a: 'x', b: 'y' }],
  ['{list}', 'x,y%2Cz', { list: ['x', 'y,z'] }],
  ['{list*}', 'x', { list: ['x'] }],
  ['file:///{+path}', 'file:///a/b?c#d', { path: 'a/b?c#d' }],
  ['{+path}/{id}', 'a/b/c', { path: 'a/b', id: 'c' }],
  ['{+path}/edit', 'a/edit/edit', { path: 'a/edit' }],
  ['{+path}', 'a,b', { path: 'a,b' }],
  ['page{#part}', 'page#a/b', { part: 'a/b' }],
  ['{name}{.ext}', 'a.tar.gz', { name: 'a', ext: 'tar.gz' }],
  ['x{.a,b}', 'x.1.2', { a: '1', b: '2' }],
  ['/pets{/id}', '/pets/7', { id: '7' }],
  ['{/a}/{+rest}', '/1/2/3', { a: '1', rest: '2/3' }],
  ['{/list*}/end', '/1/2/end', { list: ['1', '2'] }],
  ['/p{;x,y}', '/p;y=2;x', { x: '', y: '2' }],
  ['/p{;x*}', '/p;x=1;x=2', { x: ['1', '2'] }],
  ['/p{?a,b}', '/p', {}],
  ['/p{?a,b}', '/p?b=2&a=%26', { a: '&', b: '2' }],
  ['/p{?a,b}', '/p?a=', { a: '' }],
  ['/p{?a}{&b}', '/p?b=1&a=2', { a: '2', b: '1' }],
  ['/p{?a}', '/p?a=1,2', { a: ['1', '2'] }],
  ['/p{?a*}', '/p?a=1&a=2', { a: ['1', '2'] }],
  ['/{id:2}', '/ab', { id: 'ab' }],
  ['/{id}/{id}', '/a/a', { id: 'a' }],
  ['/ü/{a}', '/%c3%bc/x', { a: 'x' }],
];

/** A list is a text. */
const join = (found: Found): Found =>
  Object.fromEntries(Object.entries(found).map(([name, value]) => [name, String(value)]));

test.each(matches)('%s matches %s', (template, uri, found) => {
  expect({ ...match(template, uri) }).toEqual(join(found));
});

test.each([
  ['api://pets', 'api://pets/'],
  ['api://pets/{id}', 'api://pets/'],
  ['api://pets/{id}', 'api://pets/a/b'],
  ['api://pets/{id}', 'api://pets/../secrets'],
  ['api://pets/{id}', 'api://pets/a#b'],
  ['api://pets/{id}', 'api://pets/%zz'],
  ['{a,b}', 'x,y,z'],
  ['/pets{/id}', '/pets/7/8'],
  ['/p{?a}', '/p?b=1'],
  ['/p{?a}', '/p?a=1&a=2'],
  ['/p{?a}', '/p?'],
  ['/p{;a}', '/p;a=1/x'],
  ['/{id:2}', '/abc'],
  ['/{id}/{id}', '/a/b'],
  ['/{id:1}/{id}', '/b/abc'],
  ['/p{?constructor}', '/p?toString=1'],
])('%s does not match %s', (template, uri) => {
  expect(match(template, uri)).toBeUndefined();
});

test('a variable may have any name', () => {
  const found = match('/{__proto__}/{constructor}', '/a/b');
  expect(Object.entries(found ?? {})).toEqual([
    ['__proto__', 'a'],
    ['constructor', 'b'],
  ]);
});

test('a hostile URI takes no time to speak of', () => {
  const many = Array.from({ length: 12 }, (_, index) => `{v${index}}-`).join('');
  expect(match(`${many}end`, '-a'.repeat(15_000))).toBeUndefined();
  expect(match('{+a}{+b}{+c}{+d}!', 'x'.repeat(60_000))).toBeUndefined();
  expect(match('{+a}', 'x'.repeat(70_000))).toBeUndefined();
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
  // Dot segments would leave the place that a template describes.
  const isInside = (text: string): boolean => !/(?:^|[/\\])\.{1,2}(?:$|[/\\;])/.test(text);
  const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }).filter(isInside);
  const value = fc.record({ a: text, b: text, c: text });
  fc.assert(
    fc.property(fc.constantFrom(...templates), value, (template, variables) => {
      const uri = expand(template, variables);
      const found = match(template, uri);
      expect(found, uri).toBeDefined();
    }),
    { seed: 6570, numRuns: 1_000 },
  );
});

const variables = {
  id: 'cat 7',
  path: 'a/b?c',
  empty: '',
  none: undefined,
  nil: null,
  n: 5,
  yes: true,
  cats: ['tom', 'möhre', 'a,b'],
  size: { w: 10, h: 20 },
  nothing: [],
  hole: ['x', null, 'y'],
  'a.b': 'dot',
  half: '50%',
  triplet: '%41%zz',
  emoji: '🐱🐶',
};

const table: [template: string, uri: string][] = [
  ['{id}', 'cat%207'],
  ['{path}', 'a%2Fb%3Fc'],
  ['{id}/{n}/{yes}/{a.b}', 'cat%207/5/true/dot'],
  ['{empty}{none}{nil}{missing}{nothing}', ''],
  ['{+path}', 'a/b?c'],
  ['{+half}{+triplet}', '50%25%41%25zz'],
  ['{#path,id}', '#a/b?c,cat%207'],
  ['{cats}', 'tom,m%C3%B6hre,a%2Cb'],
  ['{size}', 'w,10,h,20'],
  ['{size*}', 'w=10,h=20'],
  ['x{.id,n}', 'x.cat%207.5'],
  ['{/id,none,n}', '/cat%207/5'],
  ['{/cats*}', '/tom/m%C3%B6hre/a%2Cb'],
  ['{/empty}', '/'],
  ['{;id,empty,none}', ';id=cat%207;empty'],
  ['{;hole*}', ';hole=x;hole=y'],
  ['{?id,empty,none}', '?id=cat%207&empty='],
  ['{?cats}', '?cats=tom,m%C3%B6hre,a%2Cb'],
  ['?a=1{&n,none}', '?a=1&n=5'],
  ['{id:3}{emoji:1}', 'cat%F0%9F%90%B1'],
  ['{+path:2}', 'a/'],
  ['{hole}', 'x,y'],
];

test.each(table)('%s expands to %s', (template, uri) => {
  expect(expand(template, variables)).toBe(uri);
});

test.each(['{', '}', '{id', 'id}', '{}', '{id}}', '{a b}', '{a-b}', '{=a}', '{a:0}', '{a:10000}', '{%4}'])(
  '%s is no template, and matches nothing',
  (template) => {
    expect(match(template, template)).toBeUndefined();
  },
);
