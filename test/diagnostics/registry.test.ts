// Every entry of the registry is complete for its reader.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { listDefinitions } from '../../src/diagnostics/find-definition.ts';
import { registry } from '../../src/diagnostics/registry.ts';
import { configurationDiagnostics } from '../../src/diagnostics/registry/configuration.ts';
import { deriveDiagnostics } from '../../src/diagnostics/registry/derive.ts';
import { functionDiagnostics } from '../../src/diagnostics/registry/functions.ts';
import { installDiagnostics } from '../../src/diagnostics/registry/install.ts';
import { librarySchemaDiagnostics } from '../../src/diagnostics/registry/library-schemas.ts';
import { lintDiagnostics } from '../../src/diagnostics/registry/lint.ts';
import { loadDiagnostics } from '../../src/diagnostics/registry/load.ts';
import { openapiDiagnostics } from '../../src/diagnostics/registry/openapi.ts';
import { publishingDiagnostics } from '../../src/diagnostics/registry/publishing.ts';
import { schemaDiagnostics } from '../../src/diagnostics/registry/schema.ts';
import { typescriptDiagnostics } from '../../src/diagnostics/registry/typescript.ts';
import { usageDiagnostics } from '../../src/diagnostics/registry/usage.ts';
import { writeDiagnostics } from '../../src/diagnostics/registry/write.ts';

const tests = fileURLToPath(new URL('..', import.meta.url));
const all = listDefinitions();

/** As it is shown, with names in place of the values. */
function hintOf(name: string): string | undefined {
  const { hint } = (registry as Record<string, { hint?: unknown }>)[name] ?? {};
  const names = new Proxy({}, { get: (_target, key) => `<${String(key)}>` });
  return typeof hint === 'function' ? String(hint(names)) : (hint as string | undefined);
}

/** Every word of the tests, this file aside. */
const text = readdirSync(tests, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(ts|txt|json|ya?ml)$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((file) => file !== fileURLToPath(import.meta.url))
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');
const words = new Set(text.match(/[a-z0-9]+(?:-[a-z0-9]+)*/g));

test('every entry is listed, under one name and one code', () => {
  expect(all).toHaveLength(Object.keys(registry).length);
  expect(new Set(all.map(({ code }) => code)).size).toBe(all.length);
  const parts = [
    loadDiagnostics,
    openapiDiagnostics,
    schemaDiagnostics,
    deriveDiagnostics,
    writeDiagnostics,
    usageDiagnostics,
    configurationDiagnostics,
    typescriptDiagnostics,
    librarySchemaDiagnostics,
    functionDiagnostics,
    lintDiagnostics,
    installDiagnostics,
    publishingDiagnostics,
  ];
  expect(parts.flatMap((part) => Object.keys(part))).toHaveLength(all.length);
});

test.each([
  { range: /^MCPG1\d\d$/, part: loadDiagnostics },
  { range: /^MCPG2\d\d$/, part: openapiDiagnostics },
  { range: /^MCPG3\d\d$/, part: schemaDiagnostics },
  { range: /^MCPG4\d\d$/, part: deriveDiagnostics },
  { range: /^MCPG5\d\d$/, part: writeDiagnostics },
  { range: /^MCPG6\d\d$/, part: usageDiagnostics },
  { range: /^MCPG6\d\d$/, part: configurationDiagnostics },
  { range: /^MCPG7\d\d$/, part: typescriptDiagnostics },
  { range: /^MCPG8\d\d$/, part: functionDiagnostics },
  { range: /^MCPG9\d\d$/, part: lintDiagnostics },
  { range: /^MCPG9\d\d$/, part: publishingDiagnostics },
])('codes of one file are $range', ({ range, part }) => {
  const names = Object.keys(part);
  const strays = all.filter(({ name, code }) => names.includes(name) && !range.test(code));
  expect(strays.map(({ name, code }) => `${code} ${name}`)).toEqual([]);
});

test.each(all)('$code $name has words, cause and fix', ({ name, message, docs }) => {
  expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  expect(message.trim().length).toBeGreaterThan(15);
  expect(docs.cause.length).toBeGreaterThan(20);
  expect(docs.fix.length).toBeGreaterThan(10);
  for (const sentence of [docs.cause, docs.fix]) expect(sentence).toMatch(/[.:`)]$/);
  expect(hintOf(name)?.trim()).not.toBe('');
});

test.each(all)(
  '$code $name names no file that only the repository of mcpgen has',
  ({ name, message, docs }) => {
    const { cause, fix, source = '' } = docs;
    const shown = [message, hintOf(name) ?? '', cause, fix, source].join('\n');
    const paths = shown.match(/(?<![\w./-])(?:src|scripts|test|fixtures|templates)\/[\w./-]*\w/g) ?? [];
    // Folders of a project have the same names.
    expect(paths.filter((path) => existsSync(join(tests, '..', path)))).toEqual([]);
  },
);

test.each(all.filter(({ severity }) => severity !== 'info'))('$code $name says the next step', ({ name }) => {
  // Its message ends in the next step.
  if (name === 'invalid-option') return;
  expect(hintOf(name)).toBeDefined();
});

test.each(all)('some test provokes $code $name', ({ name }) => {
  expect(words.has(name)).toBe(true);
});
