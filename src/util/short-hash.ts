/** FNV-1a, 32 bits, in hexadecimal: short, and the same everywhere. */
export function shortHash(text: string): string {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return value.toString(16).padStart(8, '0');
}
