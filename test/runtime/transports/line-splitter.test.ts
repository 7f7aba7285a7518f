import { expect, test } from 'vitest';
import { LineSplitter } from '../../../templates/runtime/transports/stdio.ts';

const bytes = (text: string) => Buffer.from(text);
const tooLong = expect.objectContaining({ kind: 'too-long' }) as object;
const line = (text: string) => ({ kind: 'line', text });

test.each([
  ['one line', ['a\n'], [line('a')]],
  ['two in a chunk', ['a\nb\n'], [line('a'), line('b')]],
  ['one in three chunks', ['a', 'b', 'c\n'], [line('abc')]],
  ['a rest without break', ['a\nb'], [line('a'), line('b')]],
  ['empty lines', ['\n\r\n  \na\n'], [line('a')]],
  ['a carriage return', ['{}\r\n'], [line('{}\r')]],
  ['the longest', ['12345678\n'], [line('12345678')]],
  ['one too long', ['123456789\nb\n'], [tooLong, line('b')]],
  ['one too long in chunks', ['12345', '67', '89', '0', 'x\nb\n'], [tooLong, line('b')]],
  ['one too long between others', ['a\n123456789\nb\n'], [line('a'), tooLong, line('b')]],
  ['some that are long together', ['a\nbcdef\nghijk\nl\n'], ['a', 'bcdef', 'ghijk', 'l'].map(line)],
  ['one too long at the end', ['b\n123456789'], [line('b'), tooLong]],
])('%s', (_, chunks, want) => {
  const splitter = new LineSplitter(8);
  const lines = chunks.flatMap((chunk) => splitter.splitChunk(bytes(chunk)));
  expect([...lines, ...splitter.end()]).toEqual(want);
});

const END = 'x'.repeat(300);

test.each([
  ['in one chunk', [`{"a":"${END}"}\n`]],
  ['in chunks', ['{"a"', ':"', ...END, END.slice(1), '"}', '\n']],
  ['over the limit at once', ['{"a":"x', `${END}"}\n`]],
  ['at the end', [`{"a":"${END}"}`]],
])('of a line too long, its beginning and its end: %s', (_, chunks) => {
  const splitter = new LineSplitter(8);
  const lines = [...chunks.flatMap((chunk) => splitter.splitChunk(bytes(chunk))), ...splitter.end()];
  expect(lines).toEqual([
    { kind: 'too-long', head: `{"a":"${'x'.repeat(250)}`, tail: `${'x'.repeat(254)}"}` },
  ]);
});

test.each([1, 7, 1000, 65_536])('lines that are long, in pieces of %i bytes', (size) => {
  const lines = ['a', 'ü'.repeat(20_000), 'b'.repeat(40_000), 'c', 'd'.repeat(40_001), 'e'.repeat(3)];
  const sent = bytes(`${lines.join('\n')}\n`);
  const splitter = new LineSplitter(40_000);
  const found = [];
  for (let at = 0; at < sent.length; at += size)
    found.push(...splitter.splitChunk(sent.subarray(at, at + size)));
  expect(found).toEqual(lines.map((text) => (text.length > 40_000 ? tooLong : line(text))));
});

test('a character may come byte by byte', () => {
  const splitter = new LineSplitter(100);
  const lines = [...bytes('"äß€😀"\n')].flatMap((byte) => splitter.splitChunk(Uint8Array.of(byte)));
  expect(lines).toEqual([line('"äß€😀"')]);
});

const broken = { kind: 'not-utf8' };

test.each([
  ['in one chunk', [[0x22, 0xff, 0x22, 0x0a, 0x31, 0x0a]], [broken, line('1')]],
  ['in pieces', [[0x22, 0xe2], [0x82], [0x22, 0x0a, 0x31, 0x0a]], [broken, line('1')]],
  ['a surrogate', [[0x22, 0xed, 0xa0, 0x80, 0x22, 0x0a]], [broken]],
  ['at the end', [[0x22, 0xc3]], [broken]],
  ['not: the replacement character itself', [[0x22, 0xef, 0xbf, 0xbd, 0x22, 0x0a]], [line('"\uFFFD"')]],
])('bytes that are not UTF-8: %s', (_, chunks, want) => {
  const splitter = new LineSplitter(100);
  const lines = chunks.flatMap((chunk) => splitter.splitChunk(Uint8Array.from(chunk)));
  expect([...lines, ...splitter.end()]).toEqual(want);
});
