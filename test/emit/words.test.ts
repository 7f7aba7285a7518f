import { expect, test } from 'vitest';
import { stripMarkdown } from '../../src/model/clean-prose.ts';
import { toOneLine, shortenToLine, formatSources } from '../../src/emit/prose.ts';
import { packageVersion } from '../../src/emit/package-identity.ts';
import { printPropertyKey, quoteString, displayWidth } from '../../src/emit/print-literals.ts';
import { hostileText, petstore } from './models.ts';
import { contentsOf, emit } from './render-project.ts';

test.each([
  ['petstore.yaml', 'petstore.yaml'],
  ['../apis/petstore.yaml', 'petstore.yaml'],
  ['/home/me/petstore.yaml', 'petstore.yaml'],
  ['C:\\apis\\petstore.yaml', 'petstore.yaml'],
  ['-', 'standard input'],
  ['https://me:secret@api.example/v1/openapi.json?token=secret#x', 'https://api.example/v1/openapi.json'],
  ['a\nprocess.exit()', 'a process.exit()'],
])('sourceLabel(%j) is %j', (source, want) => {
  expect(formatSources(source)).toBe(want);
});

test.each([
  ['1.2.3', '1.2.3'],
  ['1.2.3-beta.1+5', '1.2.3-beta.1+5'],
  ['v2', '2.0.0'],
  ['1.0', '1.0.0'],
  ['2023-10-16', '2023.10.16'],
  ['latest', '1.0.0'],
  ['', '1.0.0'],
  ['01.02.03', '1.2.3'],
])('packageVersion(%j) is %j', (version, want) => {
  expect(packageVersion(version)).toBe(want);
});

test.each([
  ['plain', "'plain'"],
  ["it's", `"it's"`],
  [`it's "so"`, `'it\\'s "so"'`],
  ['back\\slash', "'back\\\\slash'"],
  ['\\"', `'\\\\"'`],
  ['a\n\u0000\u2028\u202e', "'a\\n\\u0000\\u2028\\u202e'"],
  ['${x} `y`', "'${x} `y`'"],
])('quote(%j) is %s', (text, want) => {
  expect(quoteString(text)).toBe(want);
});

test('a quoted text is a literal of itself', () => {
  for (const text of [hostileText, `'"\\'"`, '\ud800', '</script>']) {
    expect(evaluateLiteral(quoteString(text))).toBe(text);
  }
});

/** Reads a literal back as JSON, which differs in its quotes alone. */
function evaluateLiteral(literal: string): unknown {
  const body = literal.slice(1, -1);
  return JSON.parse(
    literal.startsWith('"') ? literal : `"${body.replace(/\\'|"/g, (part) => (part === '"' ? '\\"' : "'"))}"`,
  );
}

test.each([
  ['getPet', 'getPet'],
  ['a.b', "'a.b'"],
  ['1a', "'1a'"],
  ['x: 1 }; evil(); ({', "'x: 1 }; evil(); ({'"],
])('identifierOrString(%j) is %s', (name, want) => {
  expect(printPropertyKey(name)).toBe(want);
});

test.each([
  ['one  two', 20, 'one two'],
  ['a\r\nb\u2028c\u0000d', 20, 'a b cd'],
  ['some words that are too many', 12, 'some words…'],
  ['unbreakablelongword', 8, 'unbreak…'],
])('shorten(%j, %i) is %j', (text, limit, want) => {
  expect(shortenToLine(text, limit)).toBe(want);
});

test.each([
  ['Every pet has a **status**, and __two__ owners.', 'Every pet has a status, and two owners.'],
  ['An *old* pet, 2 * 3 * 4, *.ts and *.js, a__b__c', 'An old pet, 2 * 3 * 4, *.ts and *.js, a__b__c'],
  ['# Pets\n\n  ## API #1\nAll.', 'Pets\n\nAPI #1\nAll.'],
  ['See [the **guide**](https://a.example/x) ![logo](l.png).', 'See the guide logo.'],
  ['2 ** 3, a[0](b c), snake_case, #1, `code`', '2 ** 3, a[0](b c), snake_case, #1, `code`'],
])('plainText(%j) is %j', (markdown, want) => {
  expect(stripMarkdown(markdown)).toBe(want);
});

test.each(['package.json', 'server.json', 'manifest.json'])('%s shows no marks of Markdown', async (path) => {
  const contents = contentsOf(await emit({ ...petstore, description: 'Has a **status**.' }), path);
  expect(contents).toContain('"Has a status."');
  expect(contents).not.toContain('**status');
});

test('a line has no break, whatever the text', () => {
  expect(toOneLine(hostileText)).not.toMatch(/[\n\r\u2028\u2029\u0000\u202e]/);
});

test.each([
  ['abc', 3],
  ['日本', 4],
  ['e\u0301', 1],
])('textWidth(%j) is %i', (text, want) => {
  expect(displayWidth(text)).toBe(want);
});
