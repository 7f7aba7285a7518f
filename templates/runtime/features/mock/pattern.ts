// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Texts that match a regular expression. Look-around and back references are ignored, so that the caller checks each text. */

/** The same attempt gives the same text; the first takes the first branch, the first character, the fewest repetitions. */
export function* textsOfPattern(source: string, minLength: number, attempts: number): Generator<string> {
  let write: Write;
  try {
    // The Compiler of the expressions of single characters refuses what is no expression.
    new RegExp(source, 'u');
    write = new PatternReader(source).readChoice();
  } catch {
    return;
  }
  for (let attempt = 0; attempt < attempts; attempt++) {
    const isPlain = attempt < attempts / 2;
    const text = write(new Draw(attempt, isPlain, 0));
    const missing = minLength - text.length;
    // The length is known by then; repetitions make up for the rest.
    yield missing <= 0 ? text : write(new Draw(attempt, isPlain, missing));
  }
}

const LONGEST = 10_000;
const MOST_STEPS = 100_000;

class Draw {
  #state: number;
  /** Only letters and digits, where the expression has some. */
  readonly isPlain: boolean;
  missing: number;
  steps = 0;

  constructor(attempt: number, isPlain: boolean, missing: number) {
    // Knuth's multiplicative hashing: neighbouring seeds would draw alike.
    this.#state = Math.imul(attempt, 0x9e37_79b1) >>> 0;
    this.isPlain = isPlain;
    this.missing = missing;
  }

  below(count: number): number {
    if (this.#state === 0 || count < 2) return 0;
    // Numerical Recipes' linear congruential generator.
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0 || 1;
    return Math.floor((this.#state / 2 ** 32) * count);
  }
}

type Write = (draw: Draw) => string;
const NOTHING: Write = () => '';

const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
const PLAIN = ['a-z', '0-9', 'A-Z'].flatMap((range) =>
  ASCII.filter((one) => new RegExp(`[${range}]`).test(one)),
);
const OTHER = [...ASCII.filter((one) => !PLAIN.includes(one))];
const RARE = ['é', 'ß', 'Ω', 'ж', '中', 'あ', '\t', '\n', '\u00A0', '😀'];

/** An escape, a class or one character. */
const ATOM =
  /\[(?:\\.|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|k<[^>]*>|.)|./isuy;
const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y;
const GROUP = /\((?:\?(?:<?[=!]|:|<[^>]*>))?/y;

class PatternReader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  readChoice(): Write {
    const branches = [this.#readSequence()];
    while (this.#take(/\|/y)) branches.push(this.#readSequence());
    return (draw) => branches[draw.below(branches.length)]?.(draw) ?? '';
  }

  #take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const match = expression.exec(this.#source) ?? undefined;
    if (match !== undefined) this.#at = expression.lastIndex;
    return match;
  }

  #readSequence(): Write {
    const parts: Write[] = [];
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source[this.#at] ?? ''))
      parts.push(this.#readRepeated());
    return (draw) => parts.map((part) => part(draw)).join('');
  }

  #readRepeated(): Write {
    const item = this.#readAtom();
    const [whole, sign, least, comma, most] = this.#take(QUANTIFIER) ?? [];
    if (whole === undefined) return item;
    const min = least === undefined ? Number(sign === '+') : Number(least);
    const max = sign === '?' ? 1 : sign !== undefined || (comma && !most) ? Infinity : Number(most || least);
    return (draw) => {
      const count = Math.min(max, LONGEST, min + draw.below(4));
      let text = '';
      for (let times = 0; times < Math.min(max, LONGEST); times++) {
        if (text.length > LONGEST || ++draw.steps > MOST_STEPS || (times >= count && draw.missing <= 0))
          break;
        const more = item(draw);
        if (times >= count && more === '') break;
        if (times >= count) draw.missing -= more.length;
        text += more;
      }
      return text;
    };
  }

  #readAtom(): Write {
    const [opening] = this.#take(GROUP) ?? [];
    if (opening !== undefined) {
      const inner = this.readChoice();
      this.#at++;
      return /[=!]$/.test(opening) ? NOTHING : inner;
    }
    const [atom = ''] = this.#take(ATOM) ?? [];
    return /^(?:[\^$]|\\[bB1-9k].*)$/s.test(atom) ? NOTHING : writeCharacter(atom);
  }
}

function writeCharacter(atom: string): Write {
  const expression = new RegExp(`^${atom}$`, 'us');
  const accepted = (characters: readonly string[]): string[] =>
    characters.filter((one) => expression.test(one));
  const plain = accepted(PLAIN);
  const usual = [...plain, ...accepted(OTHER)];
  if (usual.length === 0) {
    const codes = atom.matchAll(/\\(?:u\{?|x)([\da-f]+)/gi);
    const named = Array.from(codes, ([, code = '0']) => String.fromCodePoint(parseInt(code, 16)));
    usual.push(accepted([...RARE, ...named, ...atom])[0] ?? '');
  }
  return (draw) => usual[draw.below(draw.isPlain && plain.length > 0 ? plain.length : usual.length)] ?? '';
}
