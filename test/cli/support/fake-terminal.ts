import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { Terminal } from '../../../src/cli/host.ts';

export const KEY = {
  enter: '\r',
  space: ' ',
  down: '\x1b[B',
  all: 'a',
  ctrlC: '\x03',
  clear: '\x15',
} as const;

/** A terminal whose person waits for a question and then types. What was shown is in `shown`. */
export function fakeTerminal(answers: readonly (readonly [question: RegExp, ...keys: string[]])[]): {
  terminal: Terminal;
  shown: () => string;
} {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input });
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 120, rows: 40 });
  const left = [...answers];
  let all = '';
  let sinceAnswer = '';
  output.on('data', (chunk: Buffer) => {
    const text = stripVTControlCharacters(chunk.toString());
    all += text;
    sinceAnswer += text;
    const [question, ...keys] = left[0] ?? [];
    if (question?.test(sinceAnswer) !== true) return;
    left.shift();
    sinceAnswer = '';
    setImmediate(() => type(keys));
  });
  const type = ([key, ...rest]: string[]): void => {
    if (key === undefined) return;
    input.write(key);
    setImmediate(() => type(rest));
  };
  return { terminal: { input, output }, shown: () => all };
}
