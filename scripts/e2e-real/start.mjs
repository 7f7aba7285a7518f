/** Starts programs, waits until they say they are ready, and ends them. */
import { spawn } from 'node:child_process';

/** Milliseconds a program has to say that it is ready: some read half a gigabyte from a cold disk first. */
const READY_MS = 120_000;

/** Milliseconds it has to end by itself, unless `endMs` is given. */
const END_MS = 3_000;

/**
 * @typedef {object} Program
 * @property {string} command
 * @property {string[]} args
 * @property {string} [cwd]
 * @property {Record<string, string>} [env] in place of this process's
 * @property {RegExp} ready what it says, on either output, once it listens; the first group is its URL, unless `url` is given
 * @property {string} [url]
 * @property {number} [endMs]
 */

/**
 * @param {Program} program
 * @returns {Promise<{ url: string, close: () => Promise<void> }>} `close` resolves when the process is gone
 */
export async function start({ command, args, cwd, env, ready, url, endMs = END_MS }) {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = new Promise((resolve) => child.once('close', resolve));
  const close = async () => {
    child.kill();
    const timer = setTimeout(kill, endMs);
    await ended;
    clearTimeout(timer);
    process.off('exit', kill);
  };
  try {
    const [, said] = await wordsOf(child, ended, ready);
    return { url: url ?? said, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function wordsOf(child, ended, wanted) {
  return new Promise((resolve, reject) => {
    let said = '';
    const fail = (what) => reject(new Error(`${child.spawnfile} ${what}:\n${said.slice(-4_000)}`));
    const timer = setTimeout(() => fail('is not ready'), READY_MS);
    const read = (text) => {
      said += text;
      const match = wanted.exec(said);
      if (match !== null) resolve(match);
    };
    child.once('error', reject);
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    void ended.then((code) => fail(`ended with ${code}`));
    void ended.finally(() => clearTimeout(timer));
  });
}
