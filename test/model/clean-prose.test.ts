// Prose without what nobody sees; what scripts and emoji need stays.
import { expect, test, vi } from 'vitest';
import { removeInvisible, describeHidden, mayHaveHiddenCharacters } from '../../src/model/clean-prose.ts';

const real = String.prototype.normalize;
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
  ['a chain of selectors', 'ᠮ\u180b\u180d\u180f\u180b', 'ᠮ\u180b', /^U\+180D, U\+180F, U\+180B$/],
  ['selectors without a letter', '᠐\u180b', '᠐', /^U\+180B$/],
  ['a second selector of a Han character', '邊\u{e0101}\u{e0102}', '邊\u{e0101}', /^U\+E0102$/],
  ['a selector of Han behind a kana', 'か\u{e0101}', 'か', /^U\+E0101$/],
  ['joiners between marks of direction', 'ب\u061c\u200d\u061cب', 'بب', /^U\+061C ×2, U\+200D$/],
  ['joiners between selectors', 'ᠮ\u180b\u200d\u180bᠮ', 'ᠮ\u180bᠮ', /^U\+200D, U\+180B$/],
  ['joiners between fillers of Khmer', 'ក\u17b4\u200d\u17b5ក', 'កក', /U\+17B4/],
  ['selectors of emoji with joiners', '❤\ufe0f\u200d\ufe0f\u200d❤', '❤\ufe0f❤', /^U\+200D ×2, U\+FE0F$/],
  [
    'a second flag of tags',
    `🏴${tags('gbeng')}\u{e007f}${tags('gbeng')}\u{e007f}`,
    `🏴${tags('gbeng')}\u{e007f}`,
    /gbeng/,
  ],
  ['two spaces without width', 'ខ្មែរ\u200b\u200bអ', 'ខ្មែរអ', /^U\+200B ×2$/],
  ['a space without width at the end', 'ไทย\u200b', 'ไทย', /^U\+200B$/],
  ['a joiner before a Latin letter', '5\u200ca', '5a', /^U\+200C$/],
  [
    'more marks than letters have',
    `b${'\u0315\u0300'.repeat(40)}`,
    `b${'\u0300'.repeat(15)}${'\u0315'.repeat(15)}`,
    /^U\+0315 ×25, U\+0300 ×25$/,
  ],
  [
    'marks with hidden characters between them',
    `b${'\u0315\u200b'.repeat(40)}`,
    `b${'\u0315'.repeat(30)}`,
    /U\+200B ×40/,
  ],
])('%s', (_what, text, clean, told) => {
  expect(removeInvisible(text)).toBe(clean);
  expect(describeHidden(text)).toMatch(told);
  expect(removeInvisible(clean)).toBe(clean);
  expect(describeHidden(clean)).toBeUndefined();
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
  '邊\u{e0101}さん 葛\u{e0100}城市 芦\ufe00屋',
  '۵\u200cام ۲۰\u200cهزار 5\u200cها API\u200cها را',
  'ខ្ញុំ\u200bចង់\u200bអាន ภาษา\u200bไทย ພາສາ\u200bລາວ မြန်မာ\u200bစာ',
  'র\u200d্য ರ\u200d್ක ක්\u200dෂ',
])('%j stays whole', (text) => {
  expect(removeInvisible(text)).toBe(text);
  expect(describeHidden(text)).toBeUndefined();
});

test('line ends become line feeds, letters are composed, halves of characters are replaced', () => {
  expect(removeInvisible('a\r\nb\rc\u2028d\u2029é\ud800')).toBe('a\nb\nc\nd\né\ufffd');
  expect(removeInvisible('é')).toBe('é');
});

test.each([
  ['marks', 'b' + '\u0315\u0300'.repeat(80_000)],
  ['marks that decompose', 'b' + '\u0344'.repeat(29)],
  ['marks with a joiner each', 'ক' + '\u0301' + '\u09cd\u200d'.repeat(80_000)],
  ['marks and characters without width', '\u1820\u200b\u0315'.repeat(80_000)],
  ['selectors', 'ᠮ' + '\u180b'.repeat(80_000)],
])('a run of %s is cut, so that sorting it is bounded', (_what, text) => {
  const sorted: string[] = [];
  const normalize = vi.spyOn(String.prototype, 'normalize').mockImplementation(function (this: string) {
    sorted.push(this);
    return real.call(this, 'NFC');
  });
  const clean = removeInvisible(text);
  normalize.mockRestore();
  expect(sorted.length).toBeLessThanOrEqual(7);
  expect(sorted.filter((each) => /(?:(?!\p{Default_Ignorable_Code_Point})\p{M}){31}/u.test(each))).toEqual(
    [],
  );
  expect(clean).not.toMatch(/\p{M}{31}/u);
  expect(removeInvisible(clean)).toBe(clean);
  expect(describeHidden(text)).toBeDefined();
  expect(mayHaveHiddenCharacters(text)).toBe(true);
});

test('the decoded text is bounded', () => {
  expect(describeHidden(tags('x'.repeat(100_000)))?.length).toBeLessThan(300);
});
