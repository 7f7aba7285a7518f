/**
 * `npm run soak`: an emitted server among many sessions, clients that vanish, and frames that no client should send. It
 * must answer every good request, deliver every message once and in order, and keep no memory.
 */
import { Figures, mebibytes, times } from './lib/bench/figures.mjs';
import { compileAdd } from './lib/bench-runtime/project.mjs';
import { Random } from './lib/random.mjs';
import { soakSessions, STREAMED } from './lib/soak/sessions.mjs';
import { soakHttp, soakSse, soakWebSocket, startHttp, startStdio } from './lib/soak/transports.mjs';
import { seconds } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { readCount, readOptions } from './lib/usage.mjs';

const usage = 'npm run soak [-- --sessions 1000 --calls 10000 --frames 100000 --seed <number>]';
const text = { type: 'string' };
const { values } = readOptions(usage, {
  options: { sessions: text, calls: text, frames: text, seed: text },
});
const sessions = readCount(usage, 'sessions', values.sessions ?? '1000');
const calls = readCount(usage, 'calls', values.calls ?? '10000');
const frames = readCount(usage, 'frames', values.frames ?? '100000');
const seed = readCount(usage, 'seed', values.seed ?? String(1 + Math.floor(Math.random() * 2 ** 31)));
const figures = new Figures();

/** One-time memory is not counted: code that loads, and caches that fill. */
const WARM_UP = 2_000;

/** `add`, a tool that streams, and one that says how much memory is in use. */
const handlers = `import type { Tools } from '../generated/types.ts';
import type { Handlers } from '../runtime/types.ts';

const collect = Reflect.get(globalThis, 'gc') as () => void;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export const handlers: Handlers<Tools> = {
  tools: { add: ({ a, b }) => ({ sum: a + b }) },
  extraTools: [
    {
      name: 'stream',
      inputSchema: { type: 'object' },
      handler: async (_, context) => {
        for (let step = 1; step <= ${STREAMED}; step++) {
          await context.log('info', step);
          await pause(2);
        }
        return 'done';
      },
    },
    {
      name: 'memory',
      inputSchema: { type: 'object' },
      handler: async () => {
        for (let round = 0; round < 3; round++) {
          collect();
          await pause(50);
        }
        const { heapUsed, external } = process.memoryUsage();
        return String(heapUsed + external);
      },
    },
  ],
};
`;

/** Adds a line on the memory before and after; what was loaded on the way is in both. */
async function compareMemory(what, server, warmUp, soak) {
  console.error(`${what} …`);
  const random = new Random(seed);
  await warmUp(random);
  const before = await server.memory();
  const start = performance.now();
  await soak(random);
  const taken = seconds(performance.now() - start);
  const after = await server.memory();
  const words = { ours: mebibytes(after), other: `${mebibytes(before)} before` };
  figures.atMost({ what: `${what} in ${taken}`, ...words, figure: after / before, limit: 1.2, unit: times });
  await server.close();
}

console.error(`--seed ${seed}`);
await withTempFolder('soak', async (folder) => {
  const main = await compileAdd(folder, 'soaked', ['--feature', 'sse,websocket,resumption'], handlers);
  const server = await startHttp(main, soakHttp);
  const use = (calls) => (random) => soakSessions(server.url, { sessions, calls, random });
  const what = `${sessions} sessions, ${calls} calls, some streams broken off and resumed`;
  await compareMemory(what, server, use(Math.min(calls, 2 * sessions)), use(calls));
  for (const [transport, start] of [
    ['stdio', () => startStdio(main)],
    ['Streamable HTTP', () => startHttp(main, soakHttp)],
    ['HTTP+SSE', () => startHttp(main, soakSse, '--sse')],
    ['WebSocket', () => startHttp(main, soakWebSocket, '--ws')],
  ]) {
    const server = await start();
    const feed = (count) => (random) => server.soak(count, random);
    await compareMemory(`${transport}, ${frames} frames`, server, feed(WARM_UP), feed(frames));
  }
});
figures.print();
