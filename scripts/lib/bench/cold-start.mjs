/** Times servers from the outside: spawn, `initialize`, `tools/list`. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { median, seconds } from '../table.mjs';
import { spreadOf, times as timesOf } from './figures.mjs';
import { ratioOf, takeTurns } from './turns.mjs';

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1.0.0' },
  },
};
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

/**
 * One cold start.
 * @param {string} script
 * @param {string[]} args
 * @param {string} cwd
 * @returns {Promise<{ ms: number, answers: string[], peak: number | undefined }>} from spawn to the last byte of
 *   the list; the two answers as they came, one line each; peak resident bytes where /proc tells them
 */
export function coldStart(script, args, cwd) {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
    const answers = [];
    let pending = [];
    const send = (message) => child.stdin.write(`${JSON.stringify(message)}\n`);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code} before it answered.`)));
    child.stdin.on('error', reject);
    child.stdout.on('data', (chunk) => {
      pending.push(chunk);
      if (chunk.at(-1) !== 10) return;
      answers.push(Buffer.concat(pending).toString('utf8').trimEnd());
      pending = [];
      if (answers.length === 1) {
        send(initialized);
        send(listTools);
        return;
      }
      const ms = performance.now() - start;
      child.removeAllListeners('exit');
      const peak = peakOf(child.pid);
      child.once('exit', () => resolve({ ms, answers, peak }));
      child.kill('SIGKILL');
    });
    send(initialize);
  });
}

/** Peak resident bytes of a running process (Linux), else undefined. */
export function peakOf(pid) {
  try {
    const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
  } catch {
    return undefined;
  }
}

/**
 * Cold starts of an emitted server and of one without a runtime that gives the same answers, in turns; the first round
 * only warms up.
 * @param {string} main
 * @param {string} folder where files may be written, and both are started
 * @param {number} rounds
 * @param {string[]} [args] of the emitted server
 * @returns {Promise<{ ours: number[], bare: number[], listBytes: number, peak: number | undefined }>} ms; the size of
 *   the answered list; the largest peak of ours
 */
export async function compareStart(main, folder, rounds, args = []) {
  const { answers } = await coldStart(main, args, folder);
  const { bare, answersFile } = await writeBareServer(folder, answers);
  const peaks = [];
  const runs = {
    ours: async () => {
      const { ms, peak } = await coldStart(main, args, folder);
      peaks.push(peak);
      return ms;
    },
    bare: async () => (await coldStart(bare, [answersFile], folder)).ms,
  };
  await takeTurns(1, runs);
  const times = await takeTurns(rounds, runs);
  const peak = peaks.includes(undefined) ? undefined : Math.max(...peaks);
  return { ...times, listBytes: Buffer.byteLength(answers[1]), peak };
}

/**
 * Adds the line of a cold start beside bare Node.
 * @param {import('./figures.mjs').Figures} figures
 * @param {string} what
 * @param {{ main: string, folder: string, rounds: number, limit: number }} start as for `compareStart`
 */
export async function reportStart(figures, what, { main, folder, rounds, limit }) {
  const { ours, bare } = await compareStart(main, folder, rounds);
  const ratio = ratioOf(ours, bare);
  figures.atMost({
    what,
    ours: seconds(median(ours)),
    other: `${seconds(median(bare))} bare Node`,
    figure: ratio.ratio,
    limit,
    unit: timesOf,
    spread: spreadOf(ratio),
  });
}

/** @returns {Promise<{ bare: string, answersFile: string }>} a server without a runtime, and the file that it is to be given */
export async function writeBareServer(folder, answers) {
  const [bare, answersFile] = [path.join(folder, 'bare.mjs'), path.join(folder, 'bare.answers')];
  await writeFile(bare, bareServer);
  await writeFile(answersFile, `${answers.join('\n')}\n`);
  return { bare, answersFile };
}

/** It reads the two answers from a file and writes them when asked, by the numbers of the requests. */
const bareServer = `import { readFileSync } from 'node:fs';
const [first, second] = readFileSync(process.argv[2], 'utf8').split('\\n');
const write = (answer, id) => process.stdout.write(answer.replace(/"id":[01]\\b/, () => '"id":' + JSON.stringify(id)) + '\\n');
let pending = '';
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (pending + chunk).split('\\n');
  pending = lines.pop();
  for (const line of lines) {
    const { id, method } = JSON.parse(line);
    if (method === 'initialize') write(first, id);
    else if (method === 'tools/list') write(second, id);
    else if (id !== undefined) write('{"jsonrpc":"2.0","id":0,"error":{"code":-32601,"message":"Method not found"}}', id);
  }
});
`;
