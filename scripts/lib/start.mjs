/** Starts programs, waits until they are ready, and ends them. */
import { spawn } from 'node:child_process';

/** Milliseconds a program has to be ready: some read half a gigabyte from a cold disk first. */
const READY_MS = 120_000;

/**
 * A program is ready once it says `ready` on either output, whose first group is its `url` unless that is given; or, with
 * `health`, once that URL answers, with whatever status. `close` ends it, hard after `endMs`; `ended` has its exit code.
 */
export async function start({ command, args, cwd, env, ready, health, url, endMs = 3_000 }) {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = new Promise((resolve) => child.once('close', resolve));
  void ended.then(() => process.off('exit', kill));
  const close = async () => {
    child.kill();
    const timer = setTimeout(kill, endMs);
    await ended;
    clearTimeout(timer);
  };
  let said = '';
  const failed = new Promise((_, reject) => {
    const fail = (what) => reject(new Error(`${command} ${what}:\n${said.slice(-4_000)}`));
    const timer = setTimeout(() => fail('is not ready'), READY_MS);
    void ended.then((code) => {
      clearTimeout(timer);
      fail(`ended with ${code}`);
    });
    child.once('error', reject);
  });
  failed.catch(() => undefined);
  const told = new Promise((resolve) => {
    const read = (text) => {
      said += text;
      const match = ready?.exec(said);
      if (match) resolve(match[1]);
      if (said.length > 100_000) said = said.slice(-10_000);
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', read);
  });
  try {
    const address = await Promise.race([failed, health === undefined ? told : answerOf(health, ended)]);
    return { url: url ?? address, ended, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function answerOf(url, ended) {
  let isOver = false;
  void ended.then(() => (isOver = true));
  while (!isOver) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer !== undefined) return url;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return url;
}
