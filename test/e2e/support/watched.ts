/** A `mcpgen … --watch` as a person has it: it runs on, files change, and it says what came of that. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { canaries, planted } from '../../support/canaries.ts';
import { root } from './command.ts';

export const main = path.join(root, 'dist/bin/mcpgen.js');

/** Output of a stream; each part is awaited in turn. */
export class Said {
  text = '';
  #read = 0;
  #isEnded = false;
  #wake: () => void = () => undefined;

  constructor(stream: Readable) {
    canaries.hearAll('a watched command', () => this.text);
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      this.text += chunk;
      this.#wake();
    });
    stream.once('end', () => {
      this.#isEnded = true;
      this.#wake();
    });
  }

  /** Resolves to what was said since the last time, up to the end of a match. Rejects when the stream ends first. */
  async until(pattern: RegExp): Promise<string> {
    for (;;) {
      const match = pattern.exec(this.text.slice(this.#read));
      if (match !== null) {
        const from = this.#read;
        this.#read += match.index + match[0].length;
        return this.text.slice(from, this.#read);
      }
      if (this.#isEnded) throw new Error(`never said ${String(pattern)}:\n${this.text}`);
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** The line of the next round. */
  async round(): Promise<string> {
    return this.until(/^[✓✗] .* changed · .*\n/m);
  }
}

export interface WatchedCommand {
  child: ChildProcess;
  stdout: Said;
  stderr: Said;
  /** Resolves to the exit code. */
  ended: Promise<number | null>;
  /** Ctrl-C; resolves to the exit code. */
  interrupt: () => Promise<number | null>;
}

/** Ends with the test. */
export function startWatching(
  args: string[],
  cwd: string,
  variables: Record<string, string> = {},
): WatchedCommand {
  const env = { ...process.env, ...planted(variables), NO_COLOR: '1', CI: undefined };
  const child = spawn(process.execPath, [main, ...args], { cwd, env, stdio: 'pipe' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  return {
    child,
    stdout: new Said(child.stdout),
    stderr: new Said(child.stderr),
    ended,
    interrupt: async () => {
      child.kill('SIGINT');
      return ended;
    },
  };
}

export async function layOut(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await replaceFile(path.join(folder, name), text);
  }
}

/** As editors save: the whole file is another afterwards, and nobody sees half of it. */
export async function replaceFile(file: string, text: string): Promise<void> {
  await writeFile(`${file}~`, text);
  await rename(`${file}~`, file);
}
