import { expect, test } from 'vitest';
import { hashContents, hashTokens, isHashOf } from '../../src/emit/hash.ts';
import { addManifest } from '../../src/emit/runtime-files.ts';
import { toLockedNames } from '../../src/emit/lock-entries.ts';
import { bindingKey } from '../../src/model/operation-key.ts';
import { allFileHashes, parseLock, emitLock, addManifestEntries } from '../../src/emit/lock.ts';
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
    files: { 'a.ts': hashTokens('a.ts', 'a') },
    origins: expect.objectContaining({ hash: expect.stringMatching(/^sha256-[0-9a-f]{64}$/) }),
    hash: expect.stringMatching(/^sha256-[0-9a-f]{64}$/),
  });
});

test('the runtime is in its manifest, whose digest the lock holds whatever its layout', () => {
  const files = addManifest([
    { path: 'src/runtime/core/a.ts', contents: 'let a = 1;\n', ownership: 'generated' },
    { path: 'src/b.ts', contents: 'b\n', ownership: 'generated' },
  ]);
  const manifest = files.find(({ path }) => path === 'src/runtime/manifest.json')?.contents ?? '';
  const lock = parseLock(emitLock(petstore, { compilerVersion: '0.1.0' }, files).contents);
  if (lock === undefined) throw new Error('no lock');
  expect(Object.keys(lock.files)).toEqual(['src/b.ts']);
  const whole = addManifestEntries(lock, JSON.stringify(JSON.parse(manifest)));
  expect(whole.isManifestForeign).toBeUndefined();
  const known = allFileHashes(whole)['src/runtime/core/a.ts'];
  expect(isHashOf(known, 'a.ts', 'let a = 1;\n')).toBe(true);
  expect(isHashOf(known, 'a.ts', '\tlet a = 1\r\n')).toBe(true);
  expect(isHashOf(known, 'a.ts', 'let a = 2;\n')).toBe(false);
  expect(addManifestEntries(lock, manifest.replace('core/a', 'core/c')).isManifestForeign).toBe(true);
  expect(allFileHashes(addManifestEntries(lock, manifest.replace('core/a', '../../c')))).toEqual(lock.files);
});

test('remembers the operationIds of tools that are called otherwise; the hash is that of a lock without', () => {
  const [first, ...others] = petstore.tools;
  if (first?.binding.kind !== 'http') throw new Error('no tool of an API');
  const binding = { ...first.binding, operationId: 'readPet' };
  const options = { compilerVersion: '0.1.0' };
  const { contents } = emitLock({ ...petstore, tools: [{ ...first, binding }, ...others] }, options, []);
  const lock = parseLock(contents);
  if (lock === undefined) throw new Error('no lock');
  expect(contents).toContain('\n    "GET /pets/{petId}": "getPet readPet",\n    "POST /pets": "addPet"\n');
  expect(lock.operationIds).toEqual({ 'GET /pets/{petId}': 'readPet' });
  expect(toLockedNames(lock)).toEqual({
    'GET /pets/{petId}': { name: 'getPet', operationId: 'readPet' },
    'POST /pets': 'addPet',
  });
  expect(lock.hash).toBe(parseLock(emitLock(petstore, options, []).contents)?.hash);
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
  expect(bindingKey(binding)).toBe('./tools.ts#forecast');
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
