/**
 * `npm run soak`: an emitted server among many sessions, clients that vanish, and frames that no client should send.
 * It must answer every good request, deliver every message once and in order, and keep no memory.
 *
 * `--memory` instead measures how much memory the server of a document takes at most (Linux), while clients end no body and read no answer.
 */
import { compileAdd } from './lib/bench-runtime/project.mjs';
import { Figures, mebibytes, times } from './lib/bench/figures.mjs';
import { soakHttp } from './lib/soak/http.mjs';
import { soakMemory } from './lib/soak/memory.mjs';
import { Random } from './lib/soak/random.mjs';
import { handlers, startHttp } from './lib/soak/server.mjs';
import { soakSessions } from './lib/soak/sessions.mjs';
import { soakSse } from './lib/soak/sse.mjs';
import { startStdio } from './lib/soak/stdio.mjs';
import { soakWebSocket } from './lib/soak/websocket.mjs';
import { seconds } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { readCount, readOptions } from './lib/usage.mjs';

const usage =
  'npm run soak [-- --sessions 1000 --calls 10000 --frames 100000 --seed <number> --memory <document> --json]';
const { values } = readOptions(usage, {
  options: {
    sessions: { type: 'string', default: '1000' },
    calls: { type: 'string', default: '10000' },
    frames: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(1 + Math.floor(Math.random() * 2 ** 31)) },
    memory: { type: 'string' },
    json: { type: 'boolean' },
  },
});
const sessions = readCount(usage, 'sessions', values.sessions);
const calls = readCount(usage, 'calls', values.calls);
const frames = readCount(usage, 'frames', values.frames);
const seed = readCount(usage, 'seed', values.seed);
const figures = new Figures();

/** One-time memory is not counted: code that loads, and caches that fill. */
const warmUp = 2_000;

/** Adds a line on the memory before and after; what was loaded on the way is in both. */
async function noteFrames(what, server, soak) {
  const random = new Random(seed);
  await soak(warmUp, random);
  const before = await server.memory();
  const start = performance.now();
  await soak(frames, random);
  const ms = performance.now() - start;
  const after = await server.memory();
  figures.atMost({
    what: `${what}, ${frames} frames in ${seconds(ms)}`,
    ours: mebibytes(after),
    other: `${mebibytes(before)} before`,
    figure: after / before,
    limit: 1.2,
    unit: times,
  });
}

async function soakManySessions(server) {
  const random = new Random(seed);
  await soakSessions(server.url, { sessions, calls: Math.min(calls, 2 * sessions), random });
  const before = await server.memory();
  const { streams, resumptions, ms, ...done } = await soakSessions(server.url, { sessions, calls, random });
  const after = await server.memory();
  figures.atMost({
    what: `${sessions} sessions, ${done.calls} calls in ${seconds(ms)}, ${streams} streams broken off, ${resumptions} resumptions`,
    ours: mebibytes(after),
    other: `${mebibytes(before)} before`,
    figure: after / before,
    limit: 1.2,
    unit: times,
  });
}

/** @template {{ close: () => Promise<void> }} Server @param {string} what @param {Server} server @param {(server: Server) => Promise<void>} work */
async function using(what, server, work) {
  console.error(`${what} …`);
  await work(server);
  await server.close();
}

/** @param {string} folder */
async function soakTransports(folder) {
  const main = await compileAdd(folder, handlers, ['--feature', 'sse,websocket']);
  await using('sessions', await startHttp(main, []), soakManySessions);
  await using('stdio', await startStdio(main), (server) => noteFrames('stdio', server, server.soak));
  await using('Streamable HTTP', await startHttp(main, []), (server) =>
    noteFrames('Streamable HTTP', server, (count, random) => soakHttp(server.url, count, random)),
  );
  await using('HTTP+SSE', await startHttp(main, ['--sse']), (server) =>
    noteFrames('HTTP+SSE', server, (count, random) => soakSse(server.url, count, random)),
  );
  await using('WebSocket', await startHttp(main, ['--ws']), (server) =>
    noteFrames('WebSocket', server, (count, random) => soakWebSocket(server.url, count, random)),
  );
}

if (values.memory === undefined) console.error(`--seed ${seed}`);
await withTempFolder('soak', (folder) =>
  values.memory === undefined ? soakTransports(folder) : soakMemory(values.memory, folder, figures),
);
console.log(values.json ? JSON.stringify(figures, undefined, 2) : String(figures));
process.exitCode = figures.missed > 0 ? 1 : 0;
