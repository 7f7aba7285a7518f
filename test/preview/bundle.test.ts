// The page as it is built: its weight, and nothing that its policy forbids.
import { readFileSync, readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const FILES = ['index.html', 'page.css', 'page.js'];
const built = (file: string): string => readFileSync(`dist/preview/${file}`, 'utf8');

test('it weighs 60 kB at most, compressed', () => {
  const bytes = FILES.map((file) => gzipSync(built(file)).length).reduce((sum, length) => sum + length);
  expect(bytes).toBeLessThanOrEqual(60 * 1024);
  expect(readdirSync('dist/preview').sort()).toEqual(['LICENSES.txt', ...FILES]);
});

test('the document has no script or style of its own', () => {
  const html = built('index.html');
  expect(html).not.toMatch(/<script(?![^>]*\ssrc="\/page\.js")/);
  expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=/);
});

test('nothing is loaded from elsewhere', () => {
  expect(built('page.css')).not.toMatch(/url\(|@import/);
  const addresses = built('page.js').match(/\bhttps?:\/\/[^\s"'`]+/g) ?? [];
  // Namespaces of elements, and a sample in a form.
  expect(
    addresses.filter((each) => !/^http:\/\/www\.w3\.org\/|^https:\/\/example\.com\//.test(each)),
  ).toEqual([]);
});

test('texts of documents never become markup or code', () => {
  const sources = readdirSync('preview', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  expect(sources.length).toBeGreaterThan(20);
  for (const file of sources)
    expect(readFileSync(`preview/${file}`, 'utf8'), file).not.toMatch(
      /innerHTML|outerHTML|insertAdjacent|document\.write|\beval\(|new Function|srcdoc|javascript:/,
    );
});
