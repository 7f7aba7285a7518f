/** Emitted projects, compiled as a user would, with something in every variable that holds a credential. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { mcpgen } from '../run.mjs';

/**
 * @param {string} document
 * @param {string} project the folder to write
 * @throws {Error} with what the compiler said
 */
export async function compileProject(document, project) {
  const ended = await mcpgen(['openapi', document, '-o', project, '--quiet']);
  if (ended.code !== 0) throw new Error(`does not compile: ${ended.stderr.slice(0, 600)}`);
}

/**
 * @param {string} project
 * @returns {Promise<object>} how its tools do their work
 */
export async function readBindings(project) {
  return JSON.parse(await readFile(path.join(project, 'src/generated/bindings.json'), 'utf8'));
}

/**
 * @param {string} document
 * @returns {Promise<Map<string, object>>} by tool, whole where the list is cut
 */
export async function readInputSchemas(document) {
  const { stdout } = await mcpgen(['inspect', document, '--json']);
  return new Map(JSON.parse(stdout).tools.map(({ name, inputSchema }) => [name, inputSchema]));
}

/**
 * The variables of all credentials but certificates. Where a token will do, there is none to ask for one with.
 * @param {object | undefined} upstream of a project's bindings
 * @returns {string[]}
 */
export function credentialNames(upstream) {
  const schemes = Object.values(upstream?.securitySchemes ?? {}).filter(({ type }) => type !== 'mutualTLS');
  return schemes.flatMap(({ env = {} }) => (env.token === undefined ? Object.values(env) : [env.token]));
}
