// Every diagnostic is complete for its reader.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { listDefinitions } from '../../src/diagnostics/find-definition.ts';
import { registry } from '../../src/diagnostics/registry.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const definitions = listDefinitions();

test('each diagnostic has a code of its own, a name, a message, a page, and unless it is an info a next step', () => {
  expect(new Set(definitions.map(({ code }) => code)).size).toBe(definitions.length);
  for (const { code, name, severity, message, docs } of definitions) {
    expect(`${code} ${name}`).toMatch(/^MCPG\d{3} [a-z0-9]+(-[a-z0-9]+)*$/);
    expect(message.trim().length, code).toBeGreaterThan(15);
    expect(message, code).not.toMatch(/(?:^|[.:]\s)undefined/);
    for (const sentence of [docs.cause, docs.fix]) expect(sentence, code).toMatch(/.{9}[.:`)]$/s);
    const { hint }: { hint?: unknown } = registry[name as keyof typeof registry];
    // The message of `invalid-option` ends in the next step.
    if (severity !== 'info' && name !== 'invalid-option') expect(hint, code).toBeDefined();
  }
});

test('each page belongs to a diagnostic, and names it in its heading', () => {
  const pages = readdirSync(join(root, 'docs/diagnostics'));
  expect(pages.sort()).toEqual(definitions.map(({ code }) => `${code}.md`));
  for (const { code, name } of definitions)
    expect(readFileSync(join(root, 'docs/diagnostics', `${code}.md`), 'utf8')).toMatch(`# ${code} ${name}\n`);
});

test('some test provokes each diagnostic', () => {
  const tests = join(root, 'test');
  const texts = readdirSync(tests, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|txt|json|ya?ml)$/.test(file))
    .map((file) => readFileSync(join(tests, file), 'utf8'));
  const words = new Set(texts.join('\n').match(/[a-z0-9]+(?:-[a-z0-9]+)*/g));
  expect(definitions.filter(({ name }) => !words.has(name))).toEqual([]);
});
