/** Rewrites unambiguous spellings for `new RegExp(pattern, 'u')`. */
export type PatternReading =
  { kind: 'valid' } | { kind: 'rewritten'; pattern: string } | { kind: 'invalid'; problem: string };

export function examinePattern(pattern: string): PatternReading {
  const problem = findPatternError(pattern);

  let out = '';
  let inClass = false;
  for (let at = 0; at < pattern.length;) {
    const unit = readUnitAt(pattern, at, inClass);
    const part = unit?.source ?? rewritePatternUnit(pattern, at, inClass);
    if (unit === undefined && part === '[') inClass = true;
    if (unit === undefined && part === ']') inClass = false;
    out += part;
    at += unit?.length ?? (pattern[at] === '\\' ? 2 : 1);
  }
  const rewritten = out;

  if (problem === undefined && !/\[\[:\w+:\]/.test(pattern)) return { kind: 'valid' };
  if (rewritten !== pattern && findPatternError(rewritten) === undefined)
    return { kind: 'rewritten', pattern: rewritten };
  return problem === undefined ? { kind: 'valid' } : { kind: 'invalid', problem };
}

function findPatternError(pattern: string): string | undefined {
  try {
    new RegExp(pattern, 'u');
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return message.replace(/^Invalid regular expression: /, '').replace(/^\/.*\/u?: /s, '');
  }
}

/** Unicode rules allow these escapes inside and outside a class. */
const escapable = /[\^$\\.*+?()[\]{}|/]/;
const posixClasses: Readonly<Record<string, string>> = {
  ...{
    alpha: 'A-Za-z',
    digit: '0-9',
    alnum: 'A-Za-z0-9',
    upper: 'A-Z',
    lower: 'a-z',
    space: '\\s',
    word: '\\w',
  },
  ...{ xdigit: 'A-Fa-f0-9', punct: '!-\\/:-@\\[-`{-~', blank: ' \\t' },
};

/** Units longer than an escape that must not be split: `\p{L}`, `\u{1F600}` and POSIX classes. */
function readUnitAt(
  pattern: string,
  at: number,
  inClass: boolean,
): { source: string; length: number } | undefined {
  const rest = pattern.slice(at, at + 40);
  const [braced] = /^\\[pPu]\{\w+(?:=\w+)?\}/.exec(rest) ?? [];
  if (braced !== undefined) return { source: braced, length: braced.length };
  const [posix, name = ''] = (inClass ? /^\[:(\w+):\]/.exec(rest) : null) ?? [];
  const posixClass = Object.hasOwn(posixClasses, name) ? posixClasses[name] : undefined;
  return posix === undefined || posixClass === undefined
    ? undefined
    : { source: posixClass, length: posix.length };
}

function rewritePatternUnit(pattern: string, at: number, inClass: boolean): string {
  const character = pattern.charAt(at);
  if (character === '\\') return rewriteEscape(pattern.charAt(at + 1), inClass);
  if (inClass) {
    if (character === '[') return '\\[';
    return character === '-' && isLiteralHyphen(pattern, at) ? '\\-' : character;
  }
  if (character === ']') return '\\]';
  if (character === '{' && !/^\{\d+(?:,\d*)?\}/.test(pattern.slice(at))) return '\\{';
  if (character === '}' && !/\{\d+(?:,\d*)?$/.test(pattern.slice(0, at))) return '\\}';
  return character;
}

function rewriteEscape(escaped: string, inClass: boolean): string {
  if (!inClass && escaped === 'A') return '^';
  if (!inClass && /[zZ]/.test(escaped)) return '$';
  if (inClass && escaped === '-') return '\\-';
  // Escaped letters have meanings in other dialects, so they stay and are refused.
  return escaped === '' || escapable.test(escaped) || /[A-Za-z0-9]/.test(escaped) ? `\\${escaped}` : escaped;
}

/** A hyphen beside a class escape (`[\w-.]`) is literal. */
function isLiteralHyphen(pattern: string, at: number): boolean {
  const before = pattern.slice(0, at);
  const after = pattern.slice(at + 1);
  return /(?:^|[^\\])(?:\\\\)*\\[dDwWsS]$/.test(before) || /^\\[dDwWsS]/.test(after);
}
