/** Frames over stdio. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { initialize, initialized } from '../bench-runtime/messages.mjs';
import { endOf } from '../bench-runtime/process.mjs';
import { badMessage } from './frames.mjs';
import { bytesIn, callText, watch } from './server.mjs';

const goodEvery = 500;

/** @param {string} main */
export async function startStdio(main) {
  const child = spawn(process.execPath, ['--expose-gc', main]);
  const said = watch(child);
  const waiting = new Map();
  createInterface(child.stdout).on('line', (line) => {
    const { id } = JSON.parse(line);
    waiting.get(id)?.(line);
    waiting.delete(id);
  });
  const write = async (bytes) => {
    child.stdin.write(bytes);
    if (!child.stdin.write('\n')) await once(child.stdin, 'drain');
  };
  const gone = once(child, 'exit').then(([code]) => {
    throw new Error(`The server ended with ${code}:\n${said()}`);
  });
  gone.catch(() => undefined);
  const ask = async (id, text) => {
    const answer = new Promise((resolve) => waiting.set(id, resolve));
    await write(text);
    return Promise.race([answer, gone]);
  };
  await ask(0, initialize);
  await write(initialized);
  let asked = 0;
  return {
    /** Sends `count` frames, and good requests among them, each of which must be answered. */
    soak: async (count, random) => {
      for (let sent = 1; sent <= count; sent++) {
        await write(badMessage(random));
        if (sent % goodEvery !== 0 && sent !== count) continue;
        const id = `good-${++asked}`;
        await ask(id, JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }));
      }
    },
    memory: async () => bytesIn(await ask('memory', callText('memory', 'memory'))),
    close: async () => {
      const ended = endOf(child);
      child.stdin.end();
      const code = await ended;
      if (code !== 0) throw new Error(`The server ended with ${code}:\n${said()}`);
    },
  };
}
