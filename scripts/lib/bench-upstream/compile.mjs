/** The servers that are measured, ours and the peer's, each compiled from the same document. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { root } from '../repository.mjs';
import { mcpgen } from '../run.mjs';
import { compilePeer, installPeer, peerProgram } from '../wire/peer.mjs';

/**
 * @param {string} folder
 * @param {object} document
 * @param {string} [compiler] the program of another build. Default: this repository's
 * @returns {Promise<string>} the program
 */
export async function compileOurs(folder, document, compiler) {
  const project = path.join(folder, nameOf(document), 'ours');
  const source = await written(folder, document);
  const ended = await mcpgen(['openapi', source, '-o', project], { cwd: root, compiler });
  if (ended.code !== 0) throw new Error(`mcpgen failed:\n${ended.stderr}`);
  return path.join(project, 'dist/main.js');
}

/**
 * @param {string} folder
 * @param {object} document
 * @returns {Promise<string>} the program
 */
export async function compilePeers(folder, document) {
  const project = path.join(folder, nameOf(document), 'peer');
  await installPeer();
  await compilePeer(await written(folder, document), project);
  return path.join(project, peerProgram);
}

async function written(folder, document) {
  const file = path.join(folder, `${nameOf(document)}.json`);
  await writeFile(file, JSON.stringify(document));
  return file;
}

const nameOf = ({ info }) => info.title.toLowerCase();
