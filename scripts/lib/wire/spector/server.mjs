/** Spector: it serves the scenarios, checks each request, and writes down which scenarios it saw done rightly. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { startLocalServer } from '../local-server.mjs';

/**
 * @param {import('../../tools.mjs').Tools} tools
 * @param {string} folder where its coverage file may be written
 * @param {number} port of loopback
 * @returns {Promise<{ origin: string, stop: () => Promise<Record<string, 'pass' | 'fail' | 'not-implemented'>> }>} `stop` gives the coverage file's results
 */
export async function startSpector(tools, folder, port) {
  const coverageFile = path.join(folder, 'coverage.json');
  const program = tools.path('@typespec/spector/cmd/cli.mjs');
  const specs = tools.path('@typespec/http-specs/specs');
  const args = [program, 'serve', specs, '--port', String(port), '--coverageFile', coverageFile];
  const { origin, ended } = await startLocalServer(() => [tools.node(22), args], {
    port,
    health: '/.admin/health',
  });
  const stop = async () => {
    await fetch(`${origin}/.admin/stop`, { method: 'POST' });
    await ended;
    const [{ results }] = JSON.parse(await readFile(coverageFile, 'utf8'));
    return results;
  };
  return { origin, stop };
}
