/** The emitted server that most families attack, over every transport of HTTP, and the API behind it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { endOf, urlOf } from '../bench-runtime/process.mjs';
import { compileServer } from '../compile-server.mjs';
import { root } from '../repository.mjs';
import { mcpgenOrThrow } from '../run.mjs';
import { document } from './document.mjs';
import { handlersWith } from './handlers.mjs';
import { callOf, sendModern, Session, textOf } from './session.mjs';
import { openWitness } from './witness.mjs';

const TRANSPORTS = ['--transport', 'http', '--port', '0', '--sse', '--ws'];
const FETCH_HOST = fileURLToPath(new URL('fetch-host.mjs', import.meta.url));
const CLOCK = new URL('clock.mjs', import.meta.url).href;
const NETWORK = new URL('network.mjs', import.meta.url).href;
const EXCHANGE = new URL('exchange.mjs', import.meta.url).href;

async function moveAhead(child, ms) {
  child.send(ms);
  await once(child, 'message');
}

export async function openServer(
  folder,
  {
    args = [],
    env = {},
    options = [],
    features = [],
    headers = {},
    clock,
    network,
    exchange,
    byFetch,
    members = '',
    tools = '',
    workflows,
    answer,
    main: made,
  } = {},
) {
  const wanted = byFetch ? [...features, 'fetch'] : features;
  const main = made ?? (await compileOnce(folder, options, wanted, { members, tools, workflows }));
  const program = byFetch
    ? [FETCH_HOST, path.join(path.dirname(main), 'fetch.js'), '--sse']
    : [main, ...TRANSPORTS];
  const stranger = await openWitness();
  const upstream = await openWitness(answer);
  const imports = [clock && CLOCK, network && NETWORK, exchange && EXCHANGE].flatMap((one) =>
    one ? ['--import', one] : [],
  );
  const child = spawn(process.execPath, [...imports, ...program, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, API_BASE_URL: `${upstream.url}/v1`, ...env },
    stdio: ['ignore', 'ignore', 'pipe', ...(clock ? ['ipc'] : [])],
  });
  let moved = 0;
  const url = await urlOf(child);
  // Unread, it would stop the server once the pipe is full.
  child.stderr.resume();
  const session = await Session.open(url, headers);
  return {
    main,
    url,
    upstream,
    stranger,
    session: () => session,
    ahead: (ms) => {
      moved += ms;
      return moveAhead(child, ms);
    },
    now: () => Date.now() + moved,
    witness: async () => ({
      ...JSON.parse(textOf(await sendModern(url, callOf('witness', {}), headers))),
      upstream: upstream.requests.length,
      stranger: stranger.connections,
    }),
    close: async () => {
      // Connections of an attacker may stay open: nothing waits for them.
      child.kill('SIGKILL');
      await Promise.all([endOf(child), upstream.close(), stranger.close()]);
    },
  };
}

/**
 * Programs that were compiled, by what they are compiled from: families that want the same start the same. @type
 * {Map<string, Promise<string>>}
 */
const programs = new Map();

function compileOnce(folder, options, features, code) {
  const key = JSON.stringify([options, features, code]);
  const program = programs.get(key) ?? compileTarget(folder, options, features, code);
  programs.set(key, program);
  return program;
}

/** Compiles it, as a user would. `more`: features; returns its program. */
async function compileTarget(folder, options, more, { members, tools, workflows }) {
  const features = [
    'sse',
    'websocket',
    'tasks',
    'ask',
    'files',
    'redirects',
    'proxy',
    'signed-sessions',
    'resumption',
    ...(options.includes('oauth') ? ['exchange', 'dpop'] : []),
    ...more,
  ];
  const project = await compileServer(folder, document, {
    options: ['--feature', features.join(), ...options],
    handlers: handlersWith(members, tools),
  });
  if (workflows !== undefined) {
    const file = path.join(project, 'mcpgen.config.json');
    await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), workflows }));
    await mcpgenOrThrow(['generate', project]);
  }
  // Links the dependency, as `npm install` would.
  if (options.includes('oauth'))
    await symlink(path.join(root, 'node_modules'), path.join(project, 'node_modules'));
  return path.join(project, 'dist/main.js');
}
