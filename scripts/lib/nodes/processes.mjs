/** Programs that a run starts. None outlives it, however it ends. */
import { spawn } from 'node:child_process';

const running = new Set();

/**
 * `spawn`, but the program is killed when this process ends.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 */
export function spawnOwn(command, args, options) {
  const child = spawn(command, args, options);
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
