/** Hashes of files for locks and manifests: of the bytes, or of the tokens, which formatters keep. */
import { getOwnMember } from '../../templates/runtime/contract/json-value.ts';
import { createHash } from 'node:crypto';
import { extname } from 'node:path/posix';

/** Git may turn `\n` into `\r\n` on checkout; that is not an edit. */
export function hashContents(contents: string): string {
  // Hashing bytes is several times faster than hashing text.
  return hashBytes(Buffer.from(normalizeLineEnds(contents)));
}

function normalizeLineEnds(text: string): string {
  return text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
}

export function hashBytes(bytes: Uint8Array): string {
  return `sha256-${createHash('sha256').update(bytes).digest('hex')}`;
}

/** Returns `tokens-<base64url>`: equal for texts that only a formatter has made differ. */
export function hashTokens(path: string, contents: string): string {
  return `tokens-${hash128(extractTokens(path, contents))}`;
}

/** Hashes like `hashTokens`, but JSON whose only whitespace is line feeds: megabytes need not be scanned. */
export function hashJsonLines(contents: string): string {
  return `tokens-${hash128(removeLineBreaks(contents))}`;
}

export function hashEntry(path: string, contents: string): string {
  return `bytes-${hash128(normalizeLineEnds(contents))} ${hashTokens(path, contents)}`;
}

/** Returns 128 bits of SHA-256, so that nobody finds a second text of a hash. */
function hash128(text: string): string {
  return createHash('sha256').update(Buffer.from(text)).digest().subarray(0, 16).toString('base64url');
}

/** `entry` is a hash of bytes, one of tokens, or both with a space between. */
export function isHashOf(entry: string | undefined, path: string, text: string): boolean {
  if (entry === undefined) return false;
  if (isHashOfBytes(entry, text)) return true;
  const hashes = entry.split(' ').filter((hash) => hash.startsWith('tokens-'));
  if (hashes.length === 0) return false;
  const isHashOfTokens = (tokens: string): boolean => hashes.includes(`tokens-${hash128(tokens)}`);
  return (
    (path.endsWith('.json') && isHashOfTokens(removeLineBreaks(text))) ||
    isHashOfTokens(extractTokens(path, text))
  );
}

/** Whether the text has the very bytes of the entry, line ends aside. */
export function isHashOfBytes(entry: string, text: string): boolean {
  const hashes = entry.split(' ');
  return (
    (entry.includes('bytes-') && hashes.includes(`bytes-${hash128(normalizeLineEnds(text))}`)) ||
    (entry.includes('sha256-') && hashes.includes(hashContents(text)))
  );
}

function removeLineBreaks(json: string): string {
  return json.replace(/\r?\n/g, '');
}

/** The tokens that formatters such as Prettier and Biome keep: without layout, quotes, semicolons, trailing commas and optional parentheses. */
export function extractTokens(path: string, text: string): string {
  switch (extname(path)) {
    case '.json':
      return removeJsonWhitespace(text);
    case '.md':
      return normalizeMarkdown(text);
    case '.yaml':
    case '.yml':
      return normalizeYaml(text);
    default:
      return /^\.[cm]?[jt]sx?$/.test(extname(path)) ? normalizeCodeTokens(text) : trimLineEnds(text);
  }
}

const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|\s+|,(?=\s*[}\]])/g;

function removeJsonWhitespace(text: string): string {
  return text.replace(JSON_TOKEN, (token) => (token.startsWith('"') ? token : ''));
}

/** Code in fences is formatted too. */
function normalizeMarkdown(text: string): string {
  const parts = text.replaceAll('\r\n', '\n').split(/^(```[^\n]*\n[\s\S]*?^```)/m);
  return parts
    .map((part) => (part.startsWith('```') ? normalizeFence(part) : normalizeProse(part)))
    .join('\n');
}

function normalizeFence(fence: string): string {
  const [, language = '', code = ''] = /^```(\w*)[^\n]*\n([\s\S]*)```$/.exec(fence) ?? [];
  return `${language}\n${extractTokens(`fence.${getOwnMember(EXTENSIONS, language) ?? language}`, code)}`;
}

const EXTENSIONS: Readonly<Record<string, string>> = { typescript: 'ts', javascript: 'js', jsonc: 'json' };

/** Bullets, emphasis and the rules of tables have several spellings. */
function normalizeProse(text: string): string {
  return text
    .replace(/^(\s*)[*+-] /gm, '$1• ')
    .replaceAll('_', '*')
    .replace(/-{2,}/g, '-')
    .replace(/\\([*])/g, '$1')
    .replace(/\s+/g, '');
}

/** Indentation counts as a level, whatever its width. Lines without key or item continue a value. */
function normalizeYaml(text: string): string {
  const depths: number[] = [];
  const marks = text.replace(/^([ \t]*)(?=- |[\w."'-]+:|#)/gm, (indent) => {
    while ((depths.at(-1) ?? -1) > indent.length) depths.pop();
    if ((depths.at(-1) ?? -1) < indent.length) depths.push(indent.length);
    return `${String(depths.length)}>`;
  });
  return marks.replaceAll("'", '"').replace(/\s+/g, '');
}

function trimLineEnds(text: string): string {
  return text.replace(/[ \t\r]+$/gm, '').trimEnd();
}

interface Token {
  text: string;
  isFirst: boolean;
}

const TOKEN =
  /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|[\w$#@\u0080-\uffff]+|'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"|=>|[\s\S]/y;
const REGEXP = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const TEMPLATE_TEXT = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{|$)/y;

const IS_WORD = /^[\w$#@\u0080-\uffff]/;
/** Words that an operand follows. */
const BEFORE_OPERAND = new Set(
  'return typeof instanceof in of new delete void throw case do else yield await extends keyof as satisfies is'.split(
    ' ',
  ),
);

/** Comments come after the code, since formatters move them past commas and parentheses. */
function normalizeCodeTokens(text: string): string {
  // Templates have line breaks of their own.
  const { tokens, comments } = tokenizeCode(text.includes('\r') ? text.replaceAll('\r\n', '\n') : text);
  return [...dropOptionalTokens(tokens), ...comments].join('\n');
}

function tokenizeCode(text: string): { tokens: Token[]; comments: string[] } {
  const tokens: Token[] = [];
  const comments: string[] = [];
  /** For each open template literal, the number of open braces in its expression. */
  const templates: number[] = [];
  let isFirst = true;
  let at = 0;
  const pushToken = (token: string): void => {
    tokens.push({ text: token, isFirst });
    isFirst = false;
    at += token.length;
  };
  while (at < text.length) {
    const first = text.charAt(at);
    const inner = templates.at(-1);
    if (first === '`' || (first === '}' && inner === 0)) {
      if (first === '}') templates.pop();
      const piece = matchAt(TEMPLATE_TEXT, text, at + 1);
      pushToken(`${first}${piece}`);
      if (piece.endsWith('${')) templates.push(0);
      continue;
    }
    const comment = first === '/' && /^[/*]/.test(text.charAt(at + 1));
    const regexp = first === '/' && !comment && !isOperandEnd(tokens.at(-1)?.text);
    const token = (regexp && matchAt(REGEXP, text, at)) || matchAt(TOKEN, text, at);
    if (inner !== undefined && (token === '{' || token === '}'))
      templates[templates.length - 1] = inner + (token === '{' ? 1 : -1);
    if (token.trimStart() === '') {
      isFirst ||= token.includes('\n');
      at += token.length;
    } else if (comment && token.length > 1) {
      comments.push(token.replace(/\s+/g, ' ').trim());
      at += token.length;
    } else pushToken(token);
  }
  return { tokens, comments };
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.test(text) ? text.slice(at, pattern.lastIndex) : '';
}

/** An operand's end: a slash after it divides, and the next line may begin a statement. */
function isOperandEnd(token: string | undefined): boolean {
  if (token === undefined) return false;
  return IS_WORD.test(token) ? !BEFORE_OPERAND.has(token) : /^(?:[)\]}>]|['"`].*)$/s.test(token);
}

function dropOptionalTokens(tokens: readonly Token[]): string[] {
  const dropped = optionalParentheses(tokens);
  const kept: string[] = [];
  tokens.forEach(({ text }, index) => {
    if (text === ';' || dropped.has(index)) return;
    const before = tokens[index - 1]?.text;
    const after = tokens[index + 1]?.text ?? '';
    if (text === ',' && CLOSING.has(after)) return;
    if ((text === '|' || text === '&') && !isOperandEnd(before) && before !== text) return;
    const isKey = after === ':' || (after === '?' && tokens[index + 2]?.text === ':');
    kept.push(QUOTED.test(text) ? unquoted(text, isKey && canBeKey(before)) : text);
  });
  return kept;
}

const QUOTED = /^['"]./;

const CLOSING = new Set(')]}>');

/** Formatters choose the quotes, and drop those of a key that needs none. */
function unquoted(text: string, isKey: boolean): string {
  const inner = text.slice(1, -1).replace(/\\(['"])/g, '$1');
  return isKey && /^(?:[A-Za-z_$][\w$]*|\d+)$/.test(inner) ? inner : `'${inner}'`;
}

function canBeKey(before: string | undefined): boolean {
  return before === '{' || before === ',' || before === ';' || (before !== 'case' && isOperandEnd(before));
}

/** Behind these tokens, formatters may add or remove parentheses around a whole value. */
const BEFORE_WHOLE = new Set(['return', 'throw', 'yield', '=>', '?', ':']);

/** Finds parentheses around one parameter (`(x) => …`) and around a whole value: returned, thrown, of an arrow or of a condition's branch. */
function optionalParentheses(tokens: readonly Token[]): ReadonlySet<number> {
  const dropped = new Set<number>();
  const open: number[] = [];
  tokens.forEach(({ text }, index) => {
    if (text === '(') open.push(index);
    if (text !== ')') return;
    const start = open.pop();
    if (start === undefined) return;
    const end = tokens[index - 1]?.text === ',' ? index - 1 : index;
    const isParameter =
      tokens[index + 1]?.text === '=>' && end === start + 2 && IS_WORD.test(tokens[start + 1]?.text ?? '');
    const isWhole = BEFORE_WHOLE.has(tokens[start - 1]?.text ?? '') && canFollowValue(tokens[index + 1]);
    if (isParameter || isWhole) dropped.add(start).add(index);
  });
  return dropped;
}

function canFollowValue(next: Token | undefined): boolean {
  if (next === undefined || /^[,;:)\]}]$/.test(next.text)) return true;
  return next.isFirst && IS_WORD.test(next.text) && !/^(?:as|satisfies|in|instanceof)$/.test(next.text);
}
