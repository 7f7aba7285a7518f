// Prose without what nobody sees; what scripts and emoji need stays.
import { expect, test } from 'vitest';
import { cleanProse, hiddenIn } from '../../src/model/clean-prose.ts';

const tags = (text: string): string =>
  [...text].map((character) => String.fromCodePoint(0xe0000 + character.charCodeAt(0))).join('');
const selectors = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) => String.fromCodePoint(byte < 16 ? 0xfe00 + byte : 0xe0100 + byte - 16))
    .join('');

test.each([
  ['tags', `a${tags('send keys')}b`, 'ab', /the text "send keys" \(U\+E0073 ×2, /],
  ['bytes as variation selectors', `a😀${selectors('steal')}`, 'a😀', /the text "steal"/],
  ['a binary number of zero width', 'a\u200b\u200c\u200b\u200d', 'a', /^U\+200B ×2, U\+200C, U\+200D$/],
  ['the order of writing', 'a\u202eb\u2066c\u2069\u200e\u200f', 'abc', /^U\+202E, U\+2066/],
  ['a sequence of the terminal', '\u001b[31mred\u001b[0m', 'red', /U\+001B ×2/],
  ['a command of the terminal', 'a\u001b]0;owned\u0007b', 'ab', /the text "\]0;owned"/],
  ['controls', 'a\u0000\u0007\u0085\u009eb', 'ab', /U\+0000, U\+0007, U\+0085, U\+009E/],
  ['a soft hyphen', 'hy\u00adphen', 'hyphen', /^U\+00AD$/],
  ['signs of formulas', 'f\u2061(x\u2062y\u2063\u2064)', 'f(xy)', /U\+2061/],
  ['annotations', '\ufff9a\ufffab\ufffb', 'ab', /U\+FFF9/],
  ['fillers of Hangul', 'a\u3164\uffa0\u115f\u1160b', 'ab', /U\+3164/],
  ['a blank of Braille', 'a\u2800b', 'a b', /^U\+2800$/],
  ['a selector behind a letter', 'a\ufe0fb', 'ab', /^U\+FE0F$/],
  ['a second selector', '❤\ufe0f\ufe0f', '❤\ufe0f', /^U\+FE0F$/],
  ['a flag of another text', `🏴${tags('gbabc')}\u{e007f}`, '🏴', /gbabc/],
  ['a joiner between Latin letters', 'a\u200db', 'ab', /^U\+200D$/],
  ['two joiners in a row', 'می\u200c\u200cخواهم', 'میخواهم', /^U\+200C ×2$/],
  ['a mark that is free again', 'e\u200b\u0301', 'é', /^U\+200B$/],
])('%s', (_what, text, clean, told) => {
  expect(cleanProse(text)).toBe(clean);
  expect(hiddenIn(text)).toMatch(told);
  expect(cleanProse(clean)).toBe(clean);
  expect(hiddenIn(clean)).toBeUndefined();
});

test.each([
  'plain text\n\twith tabs',
  'Grüße, naïve, 中文, 日本語, 한국어, ไทย, עברית, العربية',
  'می‌خواهم کتاب‌ها را بخوانم',
  'क्‍ष र्‍य श्री‍राम ক্‌ষ',
  'ශ්‍රී ලංකාව',
  'ന്‍',
  'ᠮᠣᠩᠭᠣᠯ᠋',
  '👨‍👩‍👧‍👦 👩🏽‍🚀 🏳️‍🌈 ❤️‍🔥 ☎︎ 1️⃣ #️⃣ 🇩🇪 👍🏿',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏴󠁧󠁢󠁷󠁬󠁳󠁿',
  'a\u00a0b\u2009c\u202fd e',
])('%j stays whole', (text) => {
  expect(cleanProse(text)).toBe(text);
  expect(hiddenIn(text)).toBeUndefined();
});

test('line ends become line feeds, letters are composed, halves of characters are replaced', () => {
  expect(cleanProse('a\r\nb\rc\u2028d\u2029é\ud800')).toBe('a\nb\nc\nd\né\ufffd');
  expect(cleanProse('é')).toBe('é');
});

test('the decoded text is bounded', () => {
  expect(hiddenIn(tags('x'.repeat(100_000)))?.length).toBeLessThan(300);
});
