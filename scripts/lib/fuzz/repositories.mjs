import fc from 'fast-check';

import { jsonWith, textOf, words } from './texts.mjs';

const parts = [
  ...['src', 'app', 'generated', 'runtime', 'README.md', 'a.ts', 'dist', 'test', 'wire.json', '/', '/', '/'],
  ...words('.git .GIT .git. git~1 HEAD node_modules NODE_M~1 .. . ~'),
  ...['.git ', '.g\u200cit'],
  ...['\\', ':', '\0', '__proto__', 'constructor'],
];
const aPath = fc.oneof(
  textOf(parts),
  fc
    .tuple(fc.constantFrom('src/app/', 'src/generated/', 'src/runtime/'), textOf(parts))
    .map((all) => all.join('')),
);

/** Normalizes a name as file systems do: no case, no invisible characters, no dots and spaces at its end. */
function plain(segment) {
  return segment
    .replace(/[\u200c\u200d\ufeff]/g, '')
    .replace(/[. ]+$/, '')
    .toLowerCase();
}

/** Paths in a lock are inside the project and not git's or npm's; others are refused with a reason. */
export async function locks(load) {
  const { parseLock } = await load('src/emit/lock');
  const { canEmit, isReserved } = await load('src/emit/emitted-paths');
  const { isSafePath } = await load('src/emit/generated-file');
  const member = jsonWith(['GET /a', 'a', 'name', 'files'], ['sha256-a', 'a', '1']);
  const lock = fc.record(
    {
      format: fc.oneof(fc.constantFrom(1, 2, 2, 2, 3, -1, 1e9), member),
      compiler: fc.oneof({ weight: 5, arbitrary: fc.constant('1.0.0') }, member),
      names: fc.oneof({ weight: 5, arbitrary: fc.dictionary(aPath, fc.string()) }, member),
      files: fc.oneof({ weight: 8, arbitrary: fc.dictionary(aPath, fc.string()) }, member),
      owned: fc.oneof(fc.dictionary(aPath, fc.string()), member),
      inputs: fc.oneof(fc.dictionary(aPath, fc.string()), member),
      bases: member,
      package: member,
      operationIds: member,
      hash: member,
    },
    { requiredKeys: ['format', 'compiler', 'names', 'files'] },
  );
  const text = fc.oneof(
    { weight: 6, arbitrary: lock.map((value) => JSON.stringify(value)) },
    textOf(['{', '}', '"format"', ':', '2', ',', '"files"', '<<<<<<< HEAD\n', '[', ']']),
  );
  return fc.property(text, (written) => {
    const read = parseLock(written);
    for (const path of Object.keys(read?.files ?? {})) {
      if (!isSafePath(path)) throw new Error(`unsafe: ${JSON.stringify(path)}`);
      const isOfOthers = path
        .split('/')
        .some((each) => ['.git', 'git~1', 'node_modules', 'node_m~1'].includes(plain(each)));
      if (isOfOthers && (!isReserved(path) || canEmit(path)))
        throw new Error(`taken: ${JSON.stringify(path)}`);
    }
    if ({}.polluted !== undefined) throw new Error('polluted');
  });
}

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
