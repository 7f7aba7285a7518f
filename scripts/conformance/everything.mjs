/** The server that has everything the suites call: compiled from annotated functions, and started on a free port. */
import { spawn } from 'node:child_process';
import path from 'node:path';

import { withMount } from '../lib/mounts.mjs';
import { inRepository } from '../lib/repository.mjs';
import { mcpgen } from '../lib/run.mjs';

/**
 * @param {string} folder where the project may stand
 * @param {string[]} [options] of the compiler
 * @returns {Promise<string>} the module to run
 */
export async function compileEverything(folder, options = []) {
  const project = path.join(folder, 'everything');
  const args = ['ts', 'src/*.ts', '-o', project, '--feature', 'fetch', ...options];
  const ended = await mcpgen(args, { cwd: inRepository('fixtures/everything') });
  if (ended.code !== 0) throw new Error(`fixtures/everything does not compile:\n${ended.stderr}`);
  return path.join(project, 'dist/main.js');
}

/**
 * Runs `work` with the server's URL, and ends the server afterwards, whatever happens.
 * @template R
 * @param {string} main
 * @param {(url: string) => Promise<R>} work
 * @param {string} [mount] the program of docs/fetch.md that serves, instead of the server itself
 * @returns {Promise<R>}
 */
export async function withServer(main, work, mount) {
  if (mount !== undefined)
    return withMount(mount, path.resolve(main, '../..'), { MCP_RATE_LIMIT: 'off' }, work);
  const args = [main, '--transport', 'http', '--port', '0', '--rate-limit', 'off'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'pipe'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  try {
    return await work(await urlOf(child, ended));
  } finally {
    child.kill();
    await ended;
  }
}

/** Faults that the server reports go to standard error. */
function urlOf(child, ended) {
  return new Promise((resolve, reject) => {
    let said = '';
    child.once('error', reject);
    ended.then((code) => reject(new Error(`The server ended with ${code}:\n${said}`)));
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said += text;
      const [url] = /http:\/\/\S+\/mcp/.exec(said) ?? [];
      if (url !== undefined) resolve(url);
      if (/: error: /.test(text)) process.stderr.write(text);
    });
  });
}
