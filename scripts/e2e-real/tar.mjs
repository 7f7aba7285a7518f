/** Tar archives in memory: a header of 512 bytes for each file, and its bytes, filled up to 512. */

const BLOCK = 512;
const padded = (length) => Math.ceil(length / BLOCK) * BLOCK;

/** @type {typeof import('./tar.d.mts').tarOf} */
export function tarOf(files) {
  const parts = Object.entries(files).flatMap(([name, content]) => {
    const bytes = Buffer.from(content);
    const body = Buffer.alloc(padded(bytes.length));
    bytes.copy(body);
    return [headerOf(name, bytes.length), body];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

function headerOf(name, size) {
  const header = Buffer.alloc(BLOCK);
  const octal = (value, digits) => `${value.toString(8).padStart(digits, '0')}\0`;
  header.write(name, 0);
  header.write(octal(0o755, 7) + octal(0, 7) + octal(0, 7) + octal(size, 11) + octal(0, 11), 100);
  header.write(`${' '.repeat(8)}0`, 148);
  header.write('ustar\u000000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)} `, 148);
  return header;
}

/** @type {typeof import('./tar.d.mts').filesIn} */
export function filesIn(tar) {
  const files = {};
  for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0;) {
    const text = (from, length) => tar.toString('utf8', at + from, at + from + length).split('\0')[0];
    const size = Number.parseInt(text(124, 12), 8);
    files[text(0, 100)] = tar.toString('utf8', at + BLOCK, at + BLOCK + size);
    at += BLOCK + padded(size);
  }
  return files;
}
