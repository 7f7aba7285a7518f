/** Judges run as processes of their own, on a loopback port that is free. */
import { spawn } from 'node:child_process';

import { endOf } from '../bench-runtime/process.mjs';
import { freePort } from '../free-port.mjs';

/** Milliseconds until a judge must answer. */
const startLimit = 120_000;

/** Milliseconds it is given to answer the question whether it is there, and until it is asked again. */
const askLimit = 2_000;
const askAgain = 50;

/** Characters kept of what it says. */
const keptCharacters = 4_000;

/**
 * Starts a server and waits until it answers a request of `health`, with whatever status.
 * @param {(port: number) => [command: string, args: string[]]} commandFor
 * @param {{ health: string, port?: number, cwd?: string, env?: Record<string, string> }} settings `port`: default one that is free
 * @returns {Promise<{ origin: string, ended: Promise<unknown>, close: () => Promise<void> }>} `close` kills it
 * @throws {Error} with what it said, when it ends or says nothing
 */
export async function startLocalServer(commandFor, { health, port: chosen, cwd, env = process.env }) {
  const port = chosen ?? (await freePort());
  const origin = `http://127.0.0.1:${port}`;
  const child = spawn(...commandFor(port), { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const keep = (chunk) => (said = `${said}${chunk}`.slice(-keptCharacters));
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', keep);
  const ended = endOf(child);
  const close = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  try {
    await Promise.race([
      answers(origin + health),
      ended.then((code) => Promise.reject(new Error(`ended with ${code}`))),
    ]);
  } catch (error) {
    await close();
    throw new Error(`does not start (${error.message}): ${said.trim().slice(-600)}`, { cause: error });
  }
  return { origin, ended, close };
}

async function answers(url) {
  const deadline = performance.now() + startLimit;
  for (;;) {
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(askLimit) });
      await answer.arrayBuffer();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw new Error(`no answer in ${startLimit} ms`, { cause: error });
      await new Promise((resolve) => setTimeout(resolve, askAgain));
    }
  }
}
