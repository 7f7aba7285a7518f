/** The servers of a peer, `openapi-mcp-generator`, made ready to be judged the same way. */
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import ts from 'typescript';

import { runOrThrow } from '../run.mjs';
import { Tools } from '../tools.mjs';

export const peerName = 'openapi-mcp-generator';

const tools = new Tools('test/judges/steady');
const generator = tools.path(peerName, 'bin/openapi-mcp-generator.js');

/** Milliseconds it may take for one document. */
const generateLimit = 120_000;

/** The program below a project that `compilePeer` wrote. */
export const peerProgram = 'build/index.js';

export const installPeer = () => tools.install();

/**
 * Writes a project and strips its types: its own build would install five packages for each document.
 * @param {string} document
 * @param {string} project
 */
export async function compilePeer(document, project) {
  const args = ['--input', document, '--output', project, '--base-url', 'http://127.0.0.1:1', '--force'];
  await runOrThrow(process.execPath, [generator, ...args], { timeout: generateLimit });
  await symlink(tools.path(), path.join(project, 'node_modules'));
  await mkdir(path.join(project, 'build'));
  const source = await readFile(path.join(project, 'src/index.ts'), 'utf8');
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
  const { outputText } = ts.transpileModule(source, { compilerOptions });
  await writeFile(path.join(project, peerProgram), outputText);
}

/**
 * Its variables are named as ours, but for access tokens.
 * @param {Record<string, string>} env credentials for ours
 */
export function peerCredentials(env) {
  const tokens = Object.entries(env)
    .filter(([name]) => name.startsWith('BEARER_TOKEN_'))
    .flatMap(([name, value]) =>
      ['OAUTH', 'OPENID'].map((kind) => [name.replace('BEARER_TOKEN', `${kind}_TOKEN`), value]),
    );
  return { ...env, ...Object.fromEntries(tokens) };
}
