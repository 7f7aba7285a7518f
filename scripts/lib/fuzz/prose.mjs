/** Prose of any characters: clean once, clean for good, and whole where nothing was hidden. */
import fc from 'fast-check';
import { textOf } from './texts.mjs';

const whole = ['می‌خواهم', 'क्‍ष', 'ශ්‍රී', '👨‍👩‍👧‍👦', '❤️', '1️⃣', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '한국어', 'Grüße'];
whole.push('邊\u{e0101}', '芦\ufe00', 'API\u200cها', '۵\u200cام', 'ไทย\u200bไทย', 'ខ្ញុំ\u200bចង់');
const hidden = [
  '\u200b',
  '\u{e0041}',
  '\u202e',
  '\u00ad',
  '\ufeff',
  '\u2064',
  '\u3164',
  '\u001b[31m',
  '\ufe0f',
  '\u180b',
  '\u0315\u0300'.repeat(20),
];
/** Characters that never belong to a visible one. */
const never =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u200e\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb]/u;

export async function prose(load) {
  const { removeInvisible, describeHidden } = await load('src/model/clean-prose');
  return fc.property(
    textOf([...whole, ...hidden, ' ', 'word'], 20),
    fc.constantFrom(...whole),
    (text, word) => {
      const clean = removeInvisible(text);
      if (never.test(clean)) throw new Error(`left: ${JSON.stringify(clean)}`);
      if (/(?:(?!\p{Default_Ignorable_Code_Point})\p{M}){31}/u.test(clean))
        throw new Error('many marks on one letter');
      if (removeInvisible(clean) !== clean) throw new Error('cleaned again, it changes');
      if (clean !== clean.normalize('NFC')) throw new Error('it is not in NFC');
      if (describeHidden(clean) !== undefined) throw new Error('something is still hidden');
      if (removeInvisible(` ${word} `) !== ` ${word} `) throw new Error(`${word} is not whole`);
    },
  );
}
