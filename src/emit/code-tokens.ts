/** The tokens of TypeScript and JavaScript, without those that formatters add and remove. */

interface Token {
  text: string;
  /** Whether it begins a line. */
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

/** Comments come after the code: formatters move them past commas and parentheses. */
export function codeTokens(text: string): string {
  // Templates have line breaks of their own.
  const { tokens, comments } = scan(text.includes('\r') ? text.replaceAll('\r\n', '\n') : text);
  return [...withoutOptional(tokens), ...comments].join('\n');
}

function scan(text: string): { tokens: Token[]; comments: string[] } {
  const tokens: Token[] = [];
  const comments: string[] = [];
  /** Of each template that is open, how many braces are within its expression. */
  const templates: number[] = [];
  let isFirst = true;
  let at = 0;
  const push = (token: string): void => {
    tokens.push({ text: token, isFirst });
    isFirst = false;
    at += token.length;
  };
  while (at < text.length) {
    const before = tokens.at(-1)?.text;
    const inner = templates.at(-1);
    if (text[at] === '`' || (text[at] === '}' && inner === 0)) {
      if (text[at] === '}') templates.pop();
      const piece = match(TEMPLATE_TEXT, text, at + 1);
      push(`${text[at] ?? ''}${piece}`);
      if (piece.endsWith('${')) templates.push(0);
      continue;
    }
    const regexp = text[at] === '/' && !isOperand(before) && !/^\/[/*]/.test(text.slice(at, at + 2));
    const token = (regexp && match(REGEXP, text, at)) || match(TOKEN, text, at);
    if (inner !== undefined && (token === '{' || token === '}'))
      templates[templates.length - 1] = inner + (token === '{' ? 1 : -1);
    if (/^\s/.test(token)) {
      isFirst ||= token.includes('\n');
      at += token.length;
    } else if (!regexp && /^\/[/*]/.test(token)) {
      comments.push(token.replace(/\s+/g, ' ').trim());
      at += token.length;
    } else push(token);
  }
  return { tokens, comments };
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

/** Whether the token ends an operand: a slash after it divides, and what begins the next line may begin a statement. */
function isOperand(token: string | undefined): boolean {
  if (token === undefined) return false;
  return IS_WORD.test(token) ? !BEFORE_OPERAND.has(token) : /^(?:[)\]}>]|['"`].*)$/s.test(token);
}

function withoutOptional(tokens: readonly Token[]): string[] {
  const dropped = optionalParentheses(tokens);
  return tokens.flatMap(({ text }, index) => {
    const [before, after] = [tokens[index - 1]?.text, tokens[index + 1]?.text ?? ''];
    if (text === ';' || dropped.has(index)) return [];
    if (text === ',' && /^[)\]}>]$/.test(after)) return [];
    if ((text === '|' || text === '&') && !isOperand(before) && before !== text) return [];
    if (!/^['"]./.test(text)) return [text];
    const inner = text.slice(1, -1).replace(/\\(['"])/g, '$1');
    const isKey = after === ':' || (after === '?' && tokens[index + 2]?.text === ':');
    return isKey && canBeKey(before) && /^(?:[A-Za-z_$][\w$]*|\d+)$/.test(inner) ? [inner] : [`'${inner}'`];
  });
}

function canBeKey(before: string | undefined): boolean {
  return before === '{' || before === ',' || before === ';' || (before !== 'case' && isOperand(before));
}

/** Around all of a value that ends a statement, a list or a branch, parentheses are a matter of layout. */
const BEFORE_WHOLE = new Set(['return', 'throw', 'yield', '=>', '?', ':']);

/** `(x) => …` of one parameter, and parentheses around a whole value: returned, thrown, of an arrow or of a condition's branch. */
function optionalParentheses(tokens: readonly Token[]): ReadonlySet<number> {
  const dropped = new Set<number>();
  const open: number[] = [];
  for (const [index, { text }] of tokens.entries()) {
    if (text === '(') open.push(index);
    if (text !== ')') continue;
    const start = open.pop();
    if (start === undefined) continue;
    const end = tokens[index - 1]?.text === ',' ? index - 1 : index;
    const isParameter =
      tokens[index + 1]?.text === '=>' && end === start + 2 && IS_WORD.test(tokens[start + 1]?.text ?? '');
    const isWhole = BEFORE_WHOLE.has(tokens[start - 1]?.text ?? '') && endsValue(tokens[index + 1]);
    if (isParameter || isWhole) dropped.add(start).add(index);
  }
  return dropped;
}

function endsValue(next: Token | undefined): boolean {
  if (next === undefined || /^[,;:)\]}]$/.test(next.text)) return true;
  return next.isFirst && IS_WORD.test(next.text) && !/^(?:as|satisfies|in|instanceof)$/.test(next.text);
}
