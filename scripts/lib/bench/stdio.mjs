/** Times servers from the outside: spawn, `initialize`, `tools/list`. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

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
function peakOf(pid) {
  try {
    const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
  } catch {
    return undefined;
  }
}

/** A server without a runtime: it reads the two answers from a file and writes them when asked. */
export const bareServer = `import { readFileSync } from 'node:fs';
const [first, second] = readFileSync(process.argv[2], 'utf8').split('\\n');
let pending = '';
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (pending + chunk).split('\\n');
  pending = lines.pop();
  for (const line of lines) {
    const { method } = JSON.parse(line);
    if (method === 'initialize') process.stdout.write(first + '\\n');
    if (method === 'tools/list') process.stdout.write(second + '\\n');
  }
});
`;
