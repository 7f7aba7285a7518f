import fc from 'fast-check';
import { inJson, inText, tells } from '../spellings.mjs';
import { textOf } from './texts.mjs';

const inside = [...Object.values(inJson), ...Object.values(inText)];
/** Encodings that can wrap an encoded text. */
const outside = [
  (text) => text,
  inJson['as it is'],
  inJson['as PHP escapes it'],
  inJson['as ASP.NET escapes it'],
  inJson['as Go escapes it'],
  inText['in a URL'],
  inText['in a URL, every byte'],
  inText['in XML'],
  inText['in HTML by number'],
];

const WORDS = [
  'a b',
  '{"x":',
  '"',
  ',',
  '\\',
  '\\n',
  '/',
  '&amp;',
  '%20',
  '+',
  '<p>',
  'line\n',
  '\\u0041',
  'é',
  '=',
];

/** A secret in any text, in any spelling of any spelling, whole or cut: no reading of what is left has it. Other texts stay. */
export async function secrets(load) {
  const { createRedactor } = await load('templates/runtime/redact');
  const character = fc.constantFrom(...'abcXYZ0189/+&<>"\'\\ .-_=~%é😀');
  // Some characters occur in no word, so that no text contains the secret by chance.
  const secret = fc
    .array(character, { minLength: 4, maxLength: 24 })
    .map((all) => `q${all.join('')}Q7j`)
    .filter((one) => !/%[\da-f]{2}|\\[ux]|&#?\w+;/i.test(one));
  const given = fc.record({
    secret,
    before: textOf(WORDS, 4),
    behind: textOf(WORDS, 4),
    spell: fc.constantFrom(...inside),
    wrap: fc.array(fc.constantFrom(...outside), { maxLength: 2 }),
    cut: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  return fc.property(given, ({ secret, before, behind, spell, wrap, cut }) => {
    const redact = createRedactor([secret]);
    const wrapped = (text) => wrap.reduce((all, each) => each(all), text);
    const clean = wrapped(before + behind);
    if (redact(clean) !== clean)
      throw new Error(`${JSON.stringify(clean)} became ${JSON.stringify(redact(clean))}`);
    const text = wrapped(before.replace(/[\w+/\\%&-]+$/, ' ') + spell(secret) + behind);
    const shown = redact(text);
    if (shown === text || tells(shown, secret))
      throw new Error(`${JSON.stringify(text)} became ${JSON.stringify(shown)}`);
    // A limit leaves at most a few of its characters at the end.
    const part = text.slice(0, Math.floor(cut * text.length));
    if (tells(redact(part, true), secret)) throw new Error(`${JSON.stringify(part)} was cut, and tells it`);
  });
}
