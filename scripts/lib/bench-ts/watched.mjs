/** `mcpgen generate --watch` as it runs on, a round each time a file changes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { cli } from '../repository.mjs';

export class Watched {
  #child;
  #lines;
  #count = 0;
  #texts = new Map();

  /** Starts watching; resolves when the first round is over. `project`: folder that `mcpgen ts` has written. */
  static async start(project) {
    const watched = new Watched();
    const child = spawn(process.execPath, [cli, 'generate', project, '--watch', '--json'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    watched.#child = child;
    watched.#lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    await watched.#round();
    return watched;
  }

  /**
   * Changes a file; resolves to the ms from then until the project is written. `alter`: makes of what the file said
   * first what it says next.
   */
  async change(file, alter) {
    if (!this.#texts.has(file)) this.#texts.set(file, await readFile(file, 'utf8'));
    const other = path.join(path.dirname(file), `.${path.basename(file)}`);
    await writeFile(other, alter(this.#texts.get(file), (this.#count += 1)));
    const start = performance.now();
    await rename(other, file);
    const { result } = await this.#round();
    const ms = performance.now() - start;
    if (result.written.length === 0) throw new Error(`A change of ${file} changed nothing.`);
    return ms;
  }

  async stop() {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGINT');
    await ended;
  }

  async #round() {
    const { value, done } = await this.#lines.next();
    const round = done ? { ok: false } : JSON.parse(value);
    if (!round.ok) throw new Error(`A round failed: ${value ?? 'watching has ended'}`);
    return round;
  }
}
