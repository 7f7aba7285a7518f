/** The proxies of docs/deploying.md, in front of two servers of this machine. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { programCalled } from '../../e2e-real/servers/debian.mjs';
import { freePort } from '../free-port.mjs';
import { run } from '../run.mjs';
import { spawnBeside } from './spawn-beside.mjs';

/** By Debian's name: the file of the page, and how it is checked and run. */
export const PROXIES = {
  'nginx-light': {
    program: 'nginx',
    file: 'nginx.conf',
    check: (file, folder) => ['-t', ...nginxArgs(file, folder)],
    serve: (file, folder) => [...nginxArgs(file, folder), '-g', `daemon off; pid ${folder}/nginx.pid;`],
  },
  caddy: {
    program: 'caddy',
    file: 'Caddyfile',
    check: (file) => ['validate', '--adapter', 'caddyfile', '--config', file],
    serve: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
  haproxy: {
    program: 'haproxy',
    file: 'haproxy.cfg',
    check: (file) => ['-c', '-f', file],
    serve: (file) => ['-db', '-f', file],
  },
};

function nginxArgs(file, folder) {
  return ['-p', folder, '-e', 'stderr', '-c', file];
}

/** @returns {string | undefined} the command that installs it, where it is missing */
export function missingProxy(name) {
  return programCalled(PROXIES[name].program) === undefined ? `apt-get install ${name}` : undefined;
}

/** @returns {Promise<string[]>} what the program has against the file */
export async function checkConfiguration(name, file, folder) {
  const { program, check } = PROXIES[name];
  const env = { ...process.env, HOME: folder };
  const { code, stdout, stderr } = await run(programCalled(program), check(path.join(folder, file), folder), {
    env,
  });
  return code === 0 ? [] : [`${program} refuses ${file}:\n${stdout}\n${stderr}`];
}

/**
 * Starts one with the text of the page, where ports and the host are changed alone.
 * @param {string} name
 * @param {string} text
 * @param {number[]} ports of two servers
 * @param {string} folder where it may write
 */
export async function startProxy(name, text, ports, folder) {
  const { file, serve, program } = PROXIES[name];
  const port = await freePort();
  const changed = text
    .replaceAll('127.0.0.1:3001', `127.0.0.1:${ports[0]}`)
    .replaceAll('127.0.0.1:3002', `127.0.0.1:${ports[1]}`)
    .replace('listen 8080', `listen 127.0.0.1:${port}`)
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replace(
      /^mcp\.example\.com \{/,
      `{\n  admin off\n  auto_https off\n  grace_period 1s\n}\nhttp://127.0.0.1:${port} {`,
    );
  const written = path.join(folder, file);
  await writeFile(written, changed);
  const refused = await checkConfiguration(name, file, folder);
  if (refused.length > 0) throw new Error(refused[0]);
  const command = programCalled(program);
  const env = { ...process.env, HOME: folder };
  const running = await spawnBeside(command, serve(written, folder), {
    env,
    url: `http://127.0.0.1:${port}/healthz`,
  });
  return { url: `http://127.0.0.1:${port}/mcp`, close: running.stop };
}
