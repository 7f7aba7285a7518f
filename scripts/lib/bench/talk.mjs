/** Asks a server over stdio, whoever made it. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const PATIENCE = 120_000;

/**
 * Starts a server, greets it, asks, and ends it.
 * @template R
 * @param {{ command: string, args: string[], env?: Record<string, string> }} program
 * @param {string} cwd where it may write
 * @param {(ask: (method: string, params?: object) => Promise<any>) => Promise<R>} use
 * @returns {Promise<R>}
 */
export async function talk({ command, args, env = {} }, cwd, use) {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const open = new Map();
  let said = '';
  child.stdin.on('error', () => undefined);
  child.stderr.on('data', (chunk) => (said = `${said}${chunk}`.slice(-2000)));
  const fail = (what) => {
    for (const { reject } of open.values()) reject(new Error(`${what}\n${said}`));
    open.clear();
  };
  child.once('error', (error) => fail(error.message));
  const ended = new Promise((resolve) => child.once('close', resolve));
  void ended.then(() => fail('The server has ended.'));
  createInterface({ input: child.stdout }).on('line', (line) => answer(line, open));
  const timer = setTimeout(() => fail('No answer came.'), PATIENCE);
  let last = 0;
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = (method, params = {}) =>
    new Promise((resolve, reject) => {
      last += 1;
      open.set(last, { resolve, reject });
      send({ id: last, method, params });
    });
  try {
    await ask('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'bench', version: '1.0.0' },
    });
    send({ method: 'notifications/initialized' });
    return await use(ask);
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
    await ended;
  }
}

/** Ignores lines that are no message, which some servers print. */
function answer(line, open) {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return;
  }
  const waiting = open.get(message?.id);
  if (waiting === undefined || message.method !== undefined) return;
  open.delete(message.id);
  if (message.error === undefined) waiting.resolve(message.result);
  else waiting.reject(new Error(message.error.message));
}
