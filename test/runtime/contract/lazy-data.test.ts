/** Data files of thousands of tools: only what is asked for is parsed. */
import { expect, test } from 'vitest';
import { parseMembersLazily } from '../../../templates/runtime/contract/json-value.ts';
import { CatalogStore } from '../../../templates/runtime/core/catalog-store.ts';

const bindings = `{
"upstream":{"url":"https://api.test"},
"tools":{
"a\\"b":{
"do":{"kind":"http","path":"/a"},
"tags":["x"]
},
"__proto__":{
"do":{"$":"p1"}
}
},
"resources":{},
"completions":[]
}
`;
const pooled = bindings.replace('{\n', '{\n"pool":{\n"p1":{"kind":"http","path":"/p"}\n},\n');

test('members of a lazy map are those of the text', () => {
  const { tools, ...rest } = parseMembersLazily(pooled, 'tools') as { tools: Record<string, unknown> };
  expect(rest).toEqual({ upstream: { url: 'https://api.test' }, resources: {}, completions: [] });
  expect(Object.keys(tools)).toEqual(['a"b', '__proto__']);
  expect(tools['a"b']).toEqual({ do: { kind: 'http', path: '/a' }, tags: ['x'] });
  expect(Object.getOwnPropertyDescriptor(tools, '__proto__')?.get?.()).toEqual({
    do: { kind: 'http', path: '/p' },
  });
  expect(tools['a"b']).toBe(tools['a"b']);
});

test('a member that nobody reads is not parsed', () => {
  const broken = bindings.replace('"do":{"$":"p1"}', '"do":{broken}');
  const { tools } = parseMembersLazily(broken, 'tools') as { tools: Record<string, unknown> };
  expect(tools['a"b']).toMatchObject({ tags: ['x'] });
  expect(() => Object.getOwnPropertyDescriptor(tools, '__proto__')?.get?.()).toThrow(SyntaxError);
});

test.each([
  ['a formatter', JSON.stringify({ tools: { a: { do: 1 } } }, undefined, 2)],
  ['one line', '{"tools":{"a":{"do":1}}}'],
  ['no tools', '{\n"tools":{},\n"other":{\n"a":{\n"do":1\n}\n}\n}\n'],
])('another layout is read too: %s', (_name, text) => {
  expect(parseMembersLazily(text, 'tools')).toEqual(JSON.parse(text));
});

test('an early member of a lazy map is read again after many others', () => {
  const names = Array.from({ length: 600 }, (_none, at) => `tool${at}`);
  const text = `{\n"tools":{\n${names.map((name, at) => `"${name}":{\n"do":${at}\n}`).join(',\n')}\n}\n}\n`;
  const { tools } = parseMembersLazily(text, 'tools') as { tools: Record<string, unknown> };
  expect(Object.values(tools)).toHaveLength(600);
  expect(tools['tool0']).toEqual({ do: 0 });
});

const catalog = `{
"tools":[
{
"name":"a\\"b",
"inputSchema":{"type":"object"}
},
{
"name":"c"
}
],
"resources":[
{
"uri":"x:/a",
"name":"a"
}
],
"resourceTemplates":[],
"prompts":[],
"completions":false
}
`;

test('names are read and one item is parsed without the others', () => {
  const store = new CatalogStore(catalog.replace('"type":"object"', 'broken'));
  expect(store.keys('tools')).toEqual(['a"b', 'c']);
  expect(store.keys('resources')).toEqual(['x:/a']);
  expect(store.itemAt('tools', 1)).toEqual({ name: 'c' });
  expect(store.itemAt('tools', 2)).toBeUndefined();
  expect(() => store.itemAt('tools', 0)).toThrow(SyntaxError);
});

test('names follow a change of the list', () => {
  const store = new CatalogStore(catalog);
  expect(store.keys('tools')).toHaveLength(2);
  store.changeItems('tools', (tools) => tools.slice(1));
  expect(store.keys('tools')).toEqual(['c']);
  expect(store.itemAt('tools', 0)).toEqual({ name: 'c' });
});
