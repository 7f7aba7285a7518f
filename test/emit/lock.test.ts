import { expect, test } from 'vitest';
import { hashWithoutLayout, isHashOf } from '../../src/emit/hash.ts';
import { parseNameEntries } from '../../src/emit/lock-entries.ts';
import { parseLock, emitLock } from '../../src/emit/lock.ts';
import { petstore } from './models.ts';

test('lists names, and hashes of generated files alone', () => {
  const { contents, path } = emitLock(petstore, { compilerVersion: '0.1.0' }, [
    { path: 'a.ts', contents: 'a\n', ownership: 'generated' },
    { path: 'mine.ts', contents: 'b\n', ownership: 'once' },
    { path: 'dist/a.js', contents: 'c\n', ownership: 'built' },
  ]);
  expect(path).toBe('mcpgen.lock');
  expect(parseLock(contents)).toEqual({
    format: 1,
    compiler: '0.1.0',
    configuration: 'mcpgen.config.json',
    names: { 'GET /pets/{petId}': 'getPet', 'POST /pets': 'addPet' },
    files: { 'a.ts': hashWithoutLayout('a') },
    origins: expect.objectContaining({ hash: expect.stringMatching(/^sha256-[0-9a-f]{64}$/) }),
    hash: expect.stringMatching(/^sha256-[0-9a-f]{64}$/),
  });
});

test('a formatter changes no hash, and a person does', () => {
  const entry = hashWithoutLayout("let a = ['1', (2)];\n");
  expect(isHashOf(`other ${entry}`, 'let a = [\r\n\t"1",\r\n\t2,\r\n]')).toBe(true);
  expect(isHashOf(entry, 'let b = [1, 2];\n')).toBe(false);
  expect(hashWithoutLayout('|a|b|\n|-|-|\n')).toBe(hashWithoutLayout('| a | b |\n| --- | --- |\n'));
});

test('a lock that a person has changed says so', () => {
  const { contents } = emitLock(petstore, { compilerVersion: '0.1.0' }, []);
  expect(parseLock(contents)?.isEdited).toBeUndefined();
  expect(parseLock(JSON.stringify(JSON.parse(contents)))?.isEdited).toBeUndefined();
  expect(parseLock(contents.replace('addPet', 'newPet'))?.isEdited).toBe(true);
});

test('remembers the operationIds of tools that are called otherwise', () => {
  const [first, ...others] = petstore.tools;
  if (first?.binding.kind !== 'http') throw new Error('no tool of an API');
  const binding = { ...first.binding, operationId: 'readPet' };
  const options = { compilerVersion: '0.1.0' };
  const { contents } = emitLock({ ...petstore, tools: [{ ...first, binding }, ...others] }, options, []);
  const lock = parseLock(contents);
  if (lock === undefined) throw new Error('no lock');
  expect(contents).toContain('\n    "GET /pets/{petId}": "getPet readPet",\n    "POST /pets": "addPet"\n');
  expect(parseNameEntries(lock.names)).toEqual({
    'GET /pets/{petId}': { name: 'getPet', operationId: 'readPet' },
    'POST /pets': 'addPet',
  });
});

test.each([
  ['a merge conflict', '<<<<<<< HEAD\n{}'],
  ['no object', '[]'],
  ['no format', '{"names":{},"files":{}}'],
  ['a hash that is no text', '{"format":1,"compiler":"1","names":{},"files":{"a":1}}'],
  [
    'a file outside of the project',
    '{"format":1,"compiler":"1","names":{},"files":{"../../etc/passwd":"x"}}',
  ],
  ['an absolute path', '{"format":1,"compiler":"1","names":{},"files":{"/etc/passwd":"x"}}'],
])('refuses a lock with %s', (_, text) => {
  expect(parseLock(text)).toBeUndefined();
});

test('reads no more than the format of a newer lock', () => {
  expect(parseLock('{"format":4,"files":[]}')).toMatchObject({ format: 4 });
});
