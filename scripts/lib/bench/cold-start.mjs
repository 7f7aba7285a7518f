/** Times servers from the outside: spawn, `initialize`, `tools/list`. */
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { initialize, initialized } from '../bench-runtime/messages.mjs';
import { memoryOf } from '../bench-runtime/process.mjs';
import { takeTurns } from './figures.mjs';

const listTools = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';

/** One cold start: the ms from spawn to the last byte of the list, the two answers, and the peak of resident bytes. */
function coldStart(script, args, cwd) {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
    const answers = [];
    let pending = [];
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code} before it answered.`)));
    child.stdin.on('error', reject);
    child.stdout.on('data', (chunk) => {
      pending.push(chunk);
      if (chunk.at(-1) !== 10) return;
      answers.push(Buffer.concat(pending).toString('utf8').trimEnd());
      pending = [];
      if (answers.length === 1) return void child.stdin.write(`${initialized}\n${listTools}\n`);
      const ms = performance.now() - start;
      child.removeAllListeners('exit');
      const peak = memoryOf(child.pid, 'VmHWM');
      child.once('exit', () => resolve({ ms, answers, peak }));
      child.kill('SIGKILL');
    });
    child.stdin.write(`${initialize}\n`);
  });
}

/**
 * Adds the line of an emitted server beside one without a runtime that gives the same answers. Both start in `folder`.
 * Returns the largest peak of ours.
 */
export async function reportStart(figures, what, { main, folder, rounds, limit }) {
  const { answers } = await coldStart(main, [], folder);
  const [bare, answersFile] = [path.join(folder, 'bare.mjs'), path.join(folder, 'bare.answers')];
  await writeFile(bare, bareServer);
  await writeFile(answersFile, `${answers.join('\n')}\n`);
  const peaks = [];
  const runs = {
    ours: async () => {
      const { ms, peak } = await coldStart(main, [], folder);
      peaks.push(peak);
      return ms;
    },
    bare: async () => (await coldStart(bare, [answersFile], folder)).ms,
  };
  await takeTurns(1, runs);
  const { ours, bare: theirs } = await takeTurns(rounds, runs);
  figures.slower(what, ours, theirs, 'bare Node', limit);
  return peaks.includes(undefined) ? undefined : Math.max(...peaks);
}

/** It reads the two answers from a file and writes them when asked. */
const bareServer = `import { readFileSync } from 'node:fs';
const [first, second] = readFileSync(process.argv[2], 'utf8').split('\\n');
let pending = '';
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (pending + chunk).split('\\n');
  pending = lines.pop();
  for (const line of lines) {
    const { method } = JSON.parse(line);
    if (method === 'initialize') process.stdout.write(first + '\\n');
    else if (method === 'tools/list') process.stdout.write(second + '\\n');
  }
});
`;
