/** The official SDK 2.x, installed on demand. */
import { cp, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';

import { runOrThrow } from '../run.mjs';

const packages = ['@modelcontextprotocol/server@2.4.0', '@modelcontextprotocol/node@2.1.2', 'zod@4.6.7'];

/**
 * Installs it into `folder` with npm, and puts its servers beside it.
 * @param {string} folder is made
 * @returns {Promise<string>} the folder
 */
export async function installSdk2(folder) {
  await mkdir(folder);
  const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel', 'error'];
  await runOrThrow('npm', ['install', ...packages, '--prefix', folder, ...flags]);
  const peers = path.join(import.meta.dirname, 'peers');
  for (const name of await readdir(peers)) {
    if (name.startsWith('sdk-2-')) await cp(path.join(peers, name), path.join(folder, name));
  }
  return folder;
}
