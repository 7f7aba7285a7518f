/** The source map (ECMA-426) of code in which everything stands where it stood in its source. */

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The place of each word and sign. The name of the one source is left to whoever knows it. */
export function keptPlaces(code: string): string {
  let line = 0;
  let column = 0;
  const mappings = code.split('\n').map((text, at) => {
    let before = 0;
    const segments = [...text.matchAll(/[\w$]+|[^\s\w$]/g)].map(({ index }) => {
      const segment = [index - before, 0, at - line, index - column].map(digits).join('');
      before = column = index;
      line = at;
      return segment;
    });
    return segments.join(',');
  });
  return JSON.stringify({ version: 3, sources: [''], names: [], mappings: mappings.join(';') });
}

/** Base64 VLQ: the sign is the lowest bit, and the sixth of each digit says that more follow. */
function digits(value: number): string {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1;
  let text = '';
  do {
    const more = rest >>> 5 > 0 ? 32 : 0;
    text += DIGITS.charAt((rest & 31) | more);
    rest >>>= 5;
  } while (rest > 0);
  return text;
}
