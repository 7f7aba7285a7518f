// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Texts that match a regular expression. Look-around and back references are ignored, so that the caller checks each text. */

/** The same attempt gives the same text; the first takes the first branch, the first character, the fewest repetitions. */
export function* textsOfPattern(source: string, minLength: number, attempts: number): Generator<string> {
  let write: Write;
  try {
    // The expressions of single characters are compiled, so that what is no expression is refused.
    new RegExp(source, 'u');
    write = readPattern(source);
  } catch {
    return;
  }
  for (let attempt = 0; attempt < attempts; attempt++) {
    // Spread by the golden ratio: states that lie side by side would draw the same first branch.
    const state = Math.imul(attempt, 0x9e37_79b1) >>> 0;
    const text = write({ state, missing: 0, steps: 0 });
    const missing = minLength - text.length;
    // The length is known by then; repetitions make up for the rest.
    yield missing <= 0 ? text : write({ state, missing, steps: 0 });
  }
}

const [LONGEST, MAX_STEPS] = [10_000, 100_000];

interface Draw {
  state: number;
  missing: number;
  steps: number;
}
type Write = (draw: Draw) => string;

/** Numerical Recipes' linear congruential generator; a state of 0 stays there. */
function below(draw: Draw, count: number): number {
  if (draw.state === 0 || count < 2) return 0;
  draw.state = (Math.imul(draw.state, 1_664_525) + 1_013_904_223) >>> 0 || 1;
  return Math.floor((draw.state / 2 ** 32) * count);
}

const CHARACTERS = [
  ...'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  ...' !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~éßΩж中あ\t\n\u00A0😀',
];
/** An escape, a class or one character. */
const ATOM =
  /\[(?:\\.|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|k<[^>]*>|.)|./isuy;
const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y;
const GROUP = /\((?:\?(?:<?[=!]|:|<[^>]*>))?/y;

function readPattern(source: string): Write {
  let at = 0;
  const take = (expression: RegExp): RegExpExecArray | undefined => {
    expression.lastIndex = at;
    const match = expression.exec(source) ?? undefined;
    if (match !== undefined) at = expression.lastIndex;
    return match;
  };
  const readChoice = (): Write => {
    const branches = [readSequence()];
    while (take(/\|/y)) branches.push(readSequence());
    return (draw) => branches[below(draw, branches.length)]?.(draw) ?? '';
  };
  const readSequence = (): Write => {
    const parts: Write[] = [];
    while (at < source.length && !/[|)]/.test(source[at] ?? '')) parts.push(readRepeated());
    return (draw) => parts.map((part) => part(draw)).join('');
  };
  const readRepeated = (): Write => {
    const item = readAtom();
    const [whole, sign, least, comma, most] = take(QUANTIFIER) ?? [];
    if (whole === undefined) return item;
    const min = least === undefined ? Number(sign === '+') : Number(least);
    const isOpen = sign === '*' || sign === '+' || (comma === ',' && most === '');
    const max = Math.min(isOpen ? Infinity : sign === '?' ? 1 : Number(most || least), LONGEST);
    return (draw) => {
      const count = min + below(draw, 4);
      let text = '';
      for (let times = 0; times < max && text.length <= LONGEST && ++draw.steps <= MAX_STEPS; times++) {
        if (times >= count && draw.missing <= 0) break;
        const more = item(draw);
        if (times >= count && more === '') break;
        if (times >= count) draw.missing -= more.length;
        text += more;
      }
      return text;
    };
  };
  const readAtom = (): Write => {
    const [opening] = take(GROUP) ?? [];
    if (opening !== undefined) {
      const inner = readChoice();
      at++;
      return /[=!]$/.test(opening) ? () => '' : inner;
    }
    const [atom = ''] = take(ATOM) ?? [];
    if (/^(?:[\^$]|\\[bB1-9k].*)$/s.test(atom)) return () => '';
    const expression = new RegExp(`^${atom}$`, 'us');
    const accepted = CHARACTERS.filter((character) => expression.test(character));
    return (draw) => accepted[below(draw, accepted.length)] ?? '';
  };
  return readChoice();
}
