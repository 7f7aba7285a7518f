// `@schema`: what JSON Schema does not allow is told at its place, and what it allows is listed as it stands.
import { describe, expect, test } from 'vitest';
import { compileFiles, toolNamed } from './compile-files.ts';

const refused = [
  { given: '{"type":"strin"}', words: '`/type` has a value' },
  { given: '{"enum":5}', words: '`/enum` has a value' },
  { given: '{"items":[{"type":"string"}]}', words: '`/items` has a value' },
  { given: '{"type":"string","pattern":"("}', words: '`/pattern` has a value' },
  { given: '{"type":"number","minimum":"5"}', words: '`/minimum` has a value' },
  {
    given: '{"default":18446744073709551615}',
    words: '18446744073709551615 is an integer that would be rounded',
  },
  { given: '{"enum":[[-9007199254740993]]}', words: '-9007199254740993 is an integer that would be rounded' },
  { given: '{"properties":{"a/b":{"minLength":-1}}}', words: '`/properties/a~1b/minLength` has a value' },
  { given: '{"patternProperties":{"(":{}}}', words: '`/patternProperties` has a value' },
  { given: '{"$ref":"#/$defs/nope"}', words: '#/$defs/nope' },
  { given: '{"items":{"$ref":"https://elsewhere.example/a"}}', words: 'https://elsewhere.example/a' },
  { given: '{"$schema":"http://json-schema.org/draft-04/schema#"}', words: 'draft-04' },
];

const taken = [
  '{"type":["string","null"],"minLength":1,"x-own":[1]}',
  '{"properties":{"$ref":{"type":"string"},"type":{"enum":["a"]}}}',
  '{"const":{"type":"strin"},"default":{"type":"strin"}}',
  '{"items":{"$ref":"#/$defs/Named"}}',
];

const named = 'interface Named { a: string }\n/** @tool */ export function n(a: Named, b: number): void {}\n';

describe('of an argument and of a result', () => {
  test('a mistake is an error at the tag', async () => {
    const tools = refused.flatMap(({ given }, at) => [
      `/** @tool */ export function a${at}(/** @schema ${given} */ a: unknown): void {}`,
      `/** @tool @schema ${given} */ export function r${at}(): unknown { return 1; }`,
    ]);
    const { messages } = await compileFiles({ 'a.ts': tools.join('\n') });
    const want = refused.flatMap(({ words }, at) => [
      `a.ts:${2 * at + 1}:${35 + `a${at}`.length} error bad-tag: … ${words}`,
      `a.ts:${2 * at + 2}:11 error bad-tag: … ${words}`,
    ]);
    const wordsOf = (place: number): string => refused[Math.floor(place / 2)]?.words ?? '';
    const inOrder = messages.toSorted((a, b) => Number(a.split(':')[1]) - Number(b.split(':')[1]));
    expect(
      inOrder.map((message, at) => {
        const [head = ''] = /^\S+ error [\w-]+: /.exec(message) ?? [];
        return `${head}… ${message.includes(wordsOf(at)) ? wordsOf(at) : message}`;
      }),
    ).toEqual(want);
  });

  test('an `$id` gives its references no other start', async () => {
    const schema = '{"$id":"urn:a","items":{"$ref":"#/$defs/B"},"$defs":{"B":{"type":"string"}}}';
    const tool = `/** @tool */ export function a(/** @schema ${schema} */ a: unknown, b: number): void {}`;
    const { messages } = await compileFiles({ 'a.ts': tool });
    expect(messages).toEqual([expect.stringMatching(/error bad-tag: .*#\/\$defs\/B/)]);
  });

  test('what is allowed is listed as it stands', async () => {
    const tools = taken.map(
      (given, at) =>
        `/** @tool */ export function a${at}(/** @schema ${given} */ a: unknown, b: number): void {}`,
    );
    const compiled = await compileFiles({ 'a.ts': named + tools.join('\n') });
    expect(compiled.problems).toEqual([]);
    for (const [at, given] of taken.entries())
      expect(toolNamed(`a${at}`, compiled).inputSchema.properties?.['a']).toEqual(JSON.parse(given));
  });
});

describe('definitions of its own', () => {
  const node = '{"type":"object","properties":{"next":{"$ref":"#/$defs/node"}}}';
  const own = `{"$defs":{"node":${node}},"$ref":"#/$defs/node"}`;
  const listed = (name: string) => ({ type: 'object', properties: { next: { $ref: `#/$defs/${name}` } } });
  const files = (...tools: string[]) => ({ 'a.ts': tools.join('\n') });

  test('stand beside the named types: of an argument, a member and a result', async () => {
    const compiled = await compileFiles(
      files(
        `interface Of { /** Where. @schema ${own} */ at: unknown }`,
        `/** @tool */ export function a(/** Words. @schema ${own} */ a: unknown, b: number): void {}`,
        '/** @tool */ export function m(of: Of, b: number): void {}',
        `/** @tool @schema {"type":"array","items":{"$ref":"#/$defs/node"},"$defs":{"node":${node}}} */ export function r(): unknown { return []; }`,
      ),
    );
    expect(compiled.problems).toEqual([]);
    const a = toolNamed('a', compiled).inputSchema;
    expect(a.properties?.['a']).toEqual({ description: 'Words.', $ref: '#/$defs/node' });
    expect(a.$defs).toEqual({ node: listed('node') });
    const m = toolNamed('m', compiled).inputSchema;
    expect(m.$defs).toMatchObject({
      Of: { properties: { at: { $ref: '#/$defs/node', description: 'Where.' } } },
      node: listed('node'),
    });
    expect(toolNamed('r', compiled).outputSchema).toMatchObject({
      properties: { result: { type: 'array', items: { $ref: '#/$defs/node' } } },
      $defs: { node: listed('node') },
    });
  });

  test('take no name from a type, nor from each other', async () => {
    const others = own.replace('"object",', '"object","title":"Other",');
    const compiled = await compileFiles(
      files(
        'interface node { a: string }',
        `/** @tool */ export function a(/** @schema ${own} */ a: unknown, n: node): void {}`,
        `/** @tool */ export function b(/** @schema ${others} */ a: unknown, n: node): void {}`,
        `/** @tool */ export function c(/** @schema ${own} */ a: unknown, n: node): void {}`,
      ),
    );
    expect(compiled.problems).toEqual([]);
    const all = ['a', 'b', 'c'].map((name) => {
      const { properties, $defs = {} } = toolNamed(name, compiled).inputSchema;
      const { $ref } = properties?.['a'] as { $ref: string };
      const target = $ref.replace('#/$defs/', '');
      expect(properties?.['n']).toEqual({ $ref: '#/$defs/node' });
      expect(Object.keys($defs).toSorted()).toEqual(['node', target].toSorted());
      expect($defs[target]).toMatchObject(listed(target));
      return target;
    });
    expect(all[0]).toBe(all[2]);
    expect(new Set([...all, 'node']).size).toBe(3);
  });
});
