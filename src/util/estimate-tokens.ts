/**
 * Estimates the tokens of a text for a model, within 3 % of o200k (GPT-4o and later) on tool lists. The text is cut as
 * o200k cuts it before it looks anything up, and each piece costs what such pieces cost on average over the lists of 70
 * documents. An exact count takes a vocabulary of 30 MB (docs/adr/0050-lists-of-large-apis-are-bounded.md).
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (let start = 0, end = 0; start < text.length; start = end) {
    const kind = characterKindAt(text, start);
    const isMarked = kind !== LETTER && kind !== BREAK && characterKindAt(text, start + 1) === LETTER;
    if (kind === LETTER || (isMarked && kind !== DIGIT)) {
      end = endOfWord(text, isMarked ? start + 1 : start);
      tokens += estimateWord(text, start, end, isMarked);
    } else if (kind === DIGIT) {
      end = endOfRun(text, start, DIGIT, start + 3);
      tokens += 1;
    } else if (kind === MARK || (kind === SPACE && characterKindAt(text, start + 1) === MARK)) {
      const marks = endOfRun(text, start + 1, MARK);
      end = endOfRun(text, marks, BREAK);
      tokens += estimateMarks(marks - start);
    } else {
      end = endOfBlanks(text, start);
      tokens += 1;
    }
  }
  return Math.round(tokens);
}

const [END, LETTER, DIGIT, SPACE, BREAK, MARK] = [0, 1, 2, 3, 4, 5];

function characterKindAt(text: string, at: number): number | undefined {
  const code = text.charCodeAt(at);
  if (code > 127) return LETTER;
  return Number.isNaN(code) ? END : KINDS[code];
}

function kindOfAscii(code: number): number {
  if (isUpper(code) || isLower(code)) return LETTER;
  if (code >= 48 && code <= 57) return DIGIT;
  if (code === 10 || code === 13) return BREAK;
  return code === 32 || code === 9 ? SPACE : MARK;
}

/** The kind of each ASCII character: the schemas of a server have a million. */
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => kindOfAscii(code));

function isUpper(code: number): boolean {
  return code >= 65 && code <= 90;
}

/** Characters beyond ASCII count as letters: most are. */
function isLower(code: number): boolean {
  return (code >= 97 && code <= 122) || code > 127;
}

/** `HTTPServer`, `server`, `HTTP`: capitals, then small letters. */
function endOfWord(text: string, start: number): number {
  let end = start;
  while (isUpper(text.charCodeAt(end))) end++;
  while (isLower(text.charCodeAt(end))) end++;
  return end;
}

function endOfRun(text: string, start: number, kind: number | undefined, limit = text.length): number {
  let end = start;
  while (end < limit && characterKindAt(text, end) === kind) end++;
  return end;
}

/** Finds the end of a run of blanks: behind its last line break, else before its last space, which belongs to the next word. */
function endOfBlanks(text: string, start: number): number {
  let end = start;
  let broken = 0;
  for (
    let kind = characterKindAt(text, end);
    kind === SPACE || kind === BREAK;
    kind = characterKindAt(text, end)
  ) {
    end++;
    if (kind === BREAK) broken = end;
  }
  if (broken > 0) return broken;
  return end - start > 1 && characterKindAt(text, end) !== END ? end - 1 : end;
}

/** Longer words are seldom words, but keys and hashes. */
const LONGEST_WORD = 15;

/** Averages over the tool lists of 70 documents. A word behind a space is usually one token. */
function estimateWord(text: string, start: number, end: number, isMarked: boolean): number {
  const foreign = estimateForeignPart(text, start, end);
  if (foreign > 0) return Math.max(1, foreign);
  const length = isMarked ? end - start - 1 : end - start;
  const isSpaced = isMarked && text[start] === ' ';
  const isCapitals = length > 2 && isUpper(text.charCodeAt(end - 1));
  if (isCapitals) return isSpaced ? 1 + (length - 3) * 0.12 : 1 + (length - 2) * 0.25;
  if (length > LONGEST_WORD) return length / (isMarked && !isSpaced ? 4 : 6);
  if (isSpaced) return 1 + Math.max(0, length - 6) * 0.022;
  if (isMarked) return 1 + (length - 1) * 0.11;
  return length <= 6 ? 1.015 : 1.06 + (length - 6) * 0.05;
}

/**
 * Estimates the tokens of a word with characters beyond ASCII; 0 for an ASCII word. A letter with an accent costs less than a
 * character of another script.
 */
function estimateForeignPart(text: string, start: number, end: number): number {
  let cost = 0;
  let isForeign = false;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code > 127) isForeign = true;
    cost += code < 0x250 ? 0.3 : 0.75;
  }
  return isForeign ? cost : 0;
}

/** `":{"` is one token, longer runs are pairs. */
function estimateMarks(length: number): number {
  if (length <= 3) return 1.005;
  if (length === 4) return 1.2;
  return length === 5 ? 1.97 : length * 0.48;
}
