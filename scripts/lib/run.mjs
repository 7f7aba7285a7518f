/** Runs commands to their end. */
import { spawn } from 'node:child_process';

import { cli } from './repository.mjs';

/**
 * Runs a command and waits for its end; does not throw on a bad exit code. `options`: `input`: text for its standard
 * input; `timeout`: in ms, default ten minutes.
 */
export function run(command, args, { cwd, env = process.env, input = '', timeout = 600_000 } = {}) {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: 'pipe' });
    child.stdin.on('error', () => undefined).end(input);
    const out = collect(child.stdout);
    const err = collect(child.stderr);
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      child.kill('SIGKILL');
    }, timeout);
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, timedOut, stdout: out(), stderr: err(), ms: performance.now() - start });
    });
  });
}

function collect(stream) {
  const chunks = [];
  stream.on('data', (chunk) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}

/** Runs the built `mcpgen`. `options`: `compiler`: the program, default this repository's. */
export function mcpgen(args, { compiler = cli, ...options } = {}) {
  return run(process.execPath, [compiler, ...args], options);
}

/** Like `run`, but a bad exit code throws with what the command said. */
export async function runOrThrow(command, args, options) {
  const ended = await run(command, args, options);
  if (ended.code !== 0) {
    const said = `${ended.stdout}\n${ended.stderr}`.trim().slice(-4000);
    throw new Error(`${command} ${args.join(' ')} ended with ${ended.code ?? 'a signal'}:\n${said}`);
  }
  return ended;
}

/** Like `mcpgen`, but a bad exit code throws with what it said. */
export function mcpgenOrThrow(args, options) {
  return runOrThrow(process.execPath, [cli, ...args], options);
}

/** Applies `work` to all items, `width` at a time, and keeps the order of results. */
export async function inParallel(items, width, work) {
  const results = new Array(items.length);
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next++;
      results[at] = await work(items[at], at);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  return results;
}
