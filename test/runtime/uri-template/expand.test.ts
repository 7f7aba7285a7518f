import { expect, test } from 'vitest';
import {
  expandUriTemplate,
  parseUriTemplate,
  UriTemplateError,
} from '../../../templates/runtime/uri-template/index.ts';

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
  ['', ''],
  ['pets', 'pets'],
  ['a b/ü%41%', 'a%20b/%C3%BC%41%25'],
  ['{id}', 'cat%207'],
  ['{path}', 'a%2Fb%3Fc'],
  ['{id}/{n}/{yes}/{a.b}', 'cat%207/5/true/dot'],
  ['<{empty}{none}{nil}{missing}{nothing}>', '%3C%3E'],
  ['{+path}', 'a/b?c'],
  ['{+half}{+triplet}', '50%25%41%25zz'],
  ['{half}', '50%25'],
  ['{#path,id}', '#a/b?c,cat%207'],
  ['{#none}', ''],
  ['{cats}', 'tom,m%C3%B6hre,a%2Cb'],
  ['{cats*}', 'tom,m%C3%B6hre,a%2Cb'],
  ['{size}', 'w,10,h,20'],
  ['{size*}', 'w=10,h=20'],
  ['x{.id,n}', 'x.cat%207.5'],
  ['x{.cats*}', 'x.tom.m%C3%B6hre.a%2Cb'],
  ['{/id,none,n}', '/cat%207/5'],
  ['{/cats*}', '/tom/m%C3%B6hre/a%2Cb'],
  ['{/empty}', '/'],
  ['{;id,empty,none}', ';id=cat%207;empty'],
  ['{;size*}', ';w=10;h=20'],
  ['{;hole*}', ';hole=x;hole=y'],
  ['{?id,empty,none}', '?id=cat%207&empty='],
  ['{?none}', ''],
  ['{?cats}', '?cats=tom,m%C3%B6hre,a%2Cb'],
  ['{?size*}', '?w=10&h=20'],
  ['?a=1{&n,none}', '?a=1&n=5'],
  ['{id:3}{emoji:1}', 'cat%F0%9F%90%B1'],
  ['{id:100}', 'cat%207'],
  ['{+path:2}', 'a/'],
  ['{hole}', 'x,y'],
];

test.each(table)('%s expands to %s', (template, uri) => {
  expect(expandUriTemplate(template, variables)).toBe(uri);
});

test.each([
  '{',
  '}',
  '{id',
  'id}',
  '{}',
  '{id}}',
  '{{id}}',
  '{a b}',
  '{a-b}',
  '{a..b}',
  '{.a.}',
  '{a,}',
  '{=a}',
  '{@a}',
  '{|a}',
  '{!a}',
  '{a*b}',
  '{a:0}',
  '{a:01}',
  '{a:10000}',
  '{a:}',
  '{a:3*}',
  '{%4}',
])('%s is not a template', (template) => {
  expect(() => parseUriTemplate(template)).toThrow(UriTemplateError);
});

test('a value that has no place in a template is refused', () => {
  expect(() => expandUriTemplate('{cats:2}', variables)).toThrow(UriTemplateError);
  expect(() => expandUriTemplate('{a}', { a: [[1]] })).toThrow(UriTemplateError);
  expect(() => expandUriTemplate('{a}', { a: { b: {} } })).toThrow(UriTemplateError);
});

test('names from Object.prototype are undefined variables', () => {
  expect(expandUriTemplate('{constructor}{__proto__}{?toString}', {})).toBe('');
});

test('a lone surrogate becomes U+FFFD', () => {
  expect(expandUriTemplate('{a}', { a: 'x\ud800' })).toBe('x%EF%BF%BD');
});
