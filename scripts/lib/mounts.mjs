/** Starts the programs of docs/fetch.md, each of which mounts the handler of a project into a web server. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { inRepository } from './repository.mjs';
import { Tools } from './tools.mjs';

export const mountTools = new Tools('test/mounts');

/** The name of a program, in lower case → what runs it. */
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

/**
 * Runs `work` with the URL of the endpoint, and ends the web server afterwards, whatever happens.
 * @template R
 * @param {string} name
 * @param {string} project
 * @param {Record<string, string>} env
 * @param {(url: string) => Promise<R>} work
 * @returns {Promise<R>}
 */
export async function withMount(name, project, env, work) {
  const program = path.join(project, `mount-${name}.mjs`);
  const fetchModule = pathToFileURL(path.join(project, 'dist/fetch.js')).href;
  await writeFile(program, programOf(name).replaceAll('petstore-mcp/fetch', fetchModule));
  await symlink(mountTools.path(), path.join(project, 'node_modules')).catch(() => undefined);
  const port = await freePort();
  const [command, ...args] = COMMANDS[name];
  const child = spawn(command, [...args, program], {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: project, DENO_NO_UPDATE_CHECK: '1', PORT: String(port), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  try {
    await untilServed(`http://127.0.0.1:${port}/healthz`, ended, name);
    return await work(`http://127.0.0.1:${port}/mcp`);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

async function untilServed(url, ended, name) {
  let code;
  void ended.then((given) => (code = given ?? 'a signal'));
  for (let tries = 0; tries < 200 && code === undefined; tries++) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The program for ${name} serves nothing (it ended with ${code}).`);
}
