/** Starts the programs of docs/fetch.md, each of which mounts the handler of a project into a web server. */
import { readFileSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

import { freePort } from './free-port.mjs';
import { inRepository } from './repository.mjs';
import { start } from './start.mjs';
import { Tools } from './tools.mjs';

export const mountTools = new Tools('test/mounts');

/** The name of a program, in lower case → what runs it, or a function that makes a command of the program. */
const COMMANDS = {
  hono: [process.execPath],
  express: [process.execPath],
  fastify: [process.execPath],
  bun: [mountTools.path('@oven', 'bun-linux-x64', 'bin/bun')],
  deno: [
    mountTools.path('@deno', 'linux-x64-glibc', 'deno'),
    'run',
    '--allow-all',
    '--quiet',
    '--node-modules-dir=manual',
  ],
  workers: bundleWorker,
};

export const MOUNTS = Object.keys(COMMANDS);

/** The program of a section. */
function programOf(name) {
  const page = readFileSync(inRepository('docs/fetch.md'), 'utf8');
  const section = page.split(/^## /m).find((each) => each.toLowerCase().startsWith(`${name}\n`)) ?? '';
  const [, program] = /```js\n(.*?)```/s.exec(section) ?? [];
  if (program === undefined) throw new Error(`docs/fetch.md has no program for ${name}.`);
  return program;
}

/** workerd takes one module, and has neither an environment nor a port but by its configuration. */
async function bundleWorker(program, port, env) {
  const { build } = createRequire(mountTools.path('..', 'package.json'))('esbuild');
  const folder = path.dirname(program);
  const options = { bundle: true, format: 'esm', platform: 'node', external: ['node:*'], logLevel: 'error' };
  await build({ ...options, entryPoints: [program], outfile: path.join(folder, 'worker.mjs') });
  const bindings = Object.entries(env).map(
    ([name, text]) => `(name = "${name}", text = ${JSON.stringify(text)})`,
  );
  const config = path.join(folder, 'worker.capnp');
  await writeFile(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.mjs")],
  compatibilityDate = "2026-04-26",
  compatibilityFlags = ["nodejs_compat"],
  bindings = [${bindings.join(', ')}],
);
`,
  );
  return [mountTools.path('@cloudflare', 'workerd-linux-64', 'bin/workerd'), 'serve', config];
}

/** Runs `work` with the URL of the endpoint, and ends the web server afterwards, whatever happens. */
export async function withMount(name, project, env, work) {
  const program = path.join(project, `mount-${name}.mjs`);
  await writeFile(program, programOf(name).replaceAll('petstore-mcp/fetch', './dist/fetch.js'));
  await symlink(mountTools.path(), path.join(project, 'node_modules')).catch(() => undefined);
  const port = await freePort();
  const how = COMMANDS[name];
  const [command, ...args] = typeof how === 'function' ? await how(program, port, env) : [...how, program];
  const { close } = await start({
    command,
    args,
    cwd: project,
    env: { PATH: process.env.PATH, HOME: project, DENO_NO_UPDATE_CHECK: '1', PORT: String(port), ...env },
    health: `http://127.0.0.1:${port}/healthz`,
    endMs: 0,
  });
  try {
    return await work(`http://127.0.0.1:${port}/mcp`);
  } finally {
    await close();
  }
}
