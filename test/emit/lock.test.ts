import { expect, test } from 'vitest';
import { hashContents } from '../../src/emit/hash.ts';
import { operationKey, rememberedNames } from '../../src/emit/lock-names.ts';
import { parseLock, printLock } from '../../src/emit/lock.ts';
import { petstore } from './models.ts';

test('lists names, and hashes of generated files alone', () => {
  const { contents, path } = printLock(petstore, { compilerVersion: '0.1.0' }, [
    { path: 'a.ts', contents: 'a\n', ownership: 'generated' },
    { path: 'mine.ts', contents: 'b\n', ownership: 'once' },
    { path: 'dist/a.js', contents: 'c\n', ownership: 'built' },
  ]);
  expect(path).toBe('mcpgen.lock');
  expect(parseLock(contents)).toEqual({
    format: 3,
    compiler: '0.1.0',
    names: { 'GET /pets/{petId}': 'getPet', 'POST /pets': 'addPet' },
    files: { 'a.ts': 'sha256-87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7' },
    origins: expect.objectContaining({ hash: expect.stringMatching(/^sha256-[0-9a-f]{64}$/) }),
    hash: expect.stringMatching(/^sha256-[0-9a-f]{64}$/),
  });
});

test('remembers the operationIds of tools that are called otherwise; the hash is that of a lock without', () => {
  const [first, ...others] = petstore.tools;
  if (first?.binding.kind !== 'http') throw new Error('no tool of an API');
  const binding = { ...first.binding, operationId: 'readPet' };
  const options = { compilerVersion: '0.1.0' };
  const lock = parseLock(
    printLock({ ...petstore, tools: [{ ...first, binding }, ...others] }, options, []).contents,
  );
  if (lock === undefined) throw new Error('no lock');
  expect(lock.operationIds).toEqual({ 'GET /pets/{petId}': 'readPet' });
  expect(rememberedNames(lock)).toEqual({
    'GET /pets/{petId}': { name: 'getPet', operationId: 'readPet' },
    'POST /pets': 'addPet',
  });
  expect(lock.hash).toBe(parseLock(printLock(petstore, options, []).contents)?.hash);
});

test('line ends of a checkout on Windows are no edit', () => {
  expect(hashContents('a\r\nb\r\n')).toBe(hashContents('a\nb\n'));
  expect(hashContents('a\nb')).not.toBe(hashContents('a\nb\n'));
});

test('remembers function tools by module and export', () => {
  const binding = {
    kind: 'function',
    module: './tools.ts',
    export: 'forecast',
    parameters: 'object',
  } as const;
  expect(operationKey(binding)).toBe('./tools.ts#forecast');
});

test.each([
  ['a merge conflict', '<<<<<<< HEAD\n{}'],
  ['no object', '[]'],
  ['no format', '{"names":{},"files":{}}'],
  ['a base that is no list of lines', '{"format":2,"compiler":"1","names":{},"files":{},"bases":{"a":"x"}}'],
  [
    'an operationId that is no text',
    '{"format":2,"compiler":"1","names":{},"files":{},"operationIds":{"GET /a":1}}',
  ],
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
