/** Whether the brackets of a JSON text, which is known to be valid, stand deeper inside one another than so many levels. */
export function isDeeper(text: string, levels: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = endOfString(text, at);
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > levels) return true;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
    }
  }
  return false;
}

/** Where the quote stands that ends the string which begins at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === 0x5c) first--;
  return (at - first) % 2 === 1;
}
