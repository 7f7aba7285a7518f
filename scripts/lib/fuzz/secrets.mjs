import fc from 'fast-check';
import { inJson, inText, tells } from '../spellings.mjs';
import { textOf, words } from './texts.mjs';

/** Entities beyond those of XML, doubled quotes, other charsets, and what is escaped before it becomes Base64: the runtime looks for none. */
const UNKNOWN = /by name|single quotes|Latin-1|CSV|by lines|, in Base64$/;
const SPELLINGS = Object.entries({ ...inJson, ...inText }).flatMap(([name, spell]) =>
  UNKNOWN.test(name) ? [] : [spell],
);

const WORDS = [...words('{"x": " , / &amp; %20 + <p> é ='), 'a b', '\\', '\\n', 'line\n', '\\u0041'];

/** A secret in any text, in any spelling that APIs echo: no reading of what is left has it. Other texts stay. */
export async function secrets(load) {
  const { createRedactor } = await load('templates/runtime/results');
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
    spell: fc.constantFrom(...SPELLINGS),
  });
  return fc.property(given, ({ secret, before, behind, spell }) => {
    const redact = createRedactor([secret]);
    const clean = before + behind;
    if (redact(clean) !== clean)
      throw new Error(`${JSON.stringify(clean)} became ${JSON.stringify(redact(clean))}`);
    const text = before.replace(/[\w+/\\%&-]+$/, ' ') + spell(secret) + behind;
    const shown = redact(text);
    if (shown === text || tells(shown, secret))
      throw new Error(`${JSON.stringify(text)} became ${JSON.stringify(shown)}`);
  });
}
