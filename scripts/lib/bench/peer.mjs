/** The peer that compile times are compared with, installed on demand. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { runOrThrow } from '../run.mjs';

export const peerName = 'openapi-mcp-generator@4.0.1';

/**
 * Installs the peer into `folder` with npm.
 * @param {string} folder
 * @returns {Promise<string>} its program, to be run with node
 */
export async function installPeer(folder) {
  const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel', 'error'];
  await runOrThrow('npm', ['install', peerName, '--prefix', folder, ...flags]);
  const home = path.join(folder, 'node_modules/openapi-mcp-generator');
  const { bin } = JSON.parse(await readFile(path.join(home, 'package.json'), 'utf8'));
  return path.join(home, typeof bin === 'string' ? bin : Object.values(bin)[0]);
}
