/** Starts a program, and waits until a URL of it answers. */
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

const READY_MS = 20_000;

/**
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string | undefined>, url: string }} options `url` answers 200 when it is ready
 * @returns {Promise<{ close: () => Promise<void>, stop: () => Promise<number | null> }>} `close` kills; `stop` sends SIGTERM
 */
export async function spawnBeside(command, args, { cwd, env, url }) {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (said = `${said}${text}`.slice(-4_000)));
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).finally(() => process.off('exit', kill));
  const end = (signal) => {
    child.kill(signal);
    return ended;
  };
  const until = Date.now() + READY_MS;
  while (!(await isAnswered(url))) {
    if (child.exitCode === null && Date.now() < until) await sleep(50);
    else {
      await end('SIGKILL');
      throw new Error(`${command} is not ready:\n${said}`);
    }
  }
  return { close: () => end('SIGKILL'), stop: () => end('SIGTERM') };
}

async function isAnswered(url) {
  const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.status === 200;
}
