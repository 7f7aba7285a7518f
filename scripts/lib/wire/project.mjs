/** Emitted projects, compiled as a user would, with something in every variable that holds a credential. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { CallToolResultSchema, ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js';

import { connectOldClient } from '../clients.mjs';
import { mcpgenOrThrow } from '../run.mjs';

/** How its tools do their work. */
export async function readBindings(project) {
  return JSON.parse(await readFile(path.join(project, 'src/generated/bindings.json'), 'utf8'));
}

/** By tool, whole where the list is cut. */
export async function readInputSchemas(document) {
  const { stdout } = await mcpgenOrThrow(['inspect', document, '--json']);
  return new Map(JSON.parse(stdout).tools.map(({ name, inputSchema }) => [name, inputSchema]));
}

/**
 * The variables of all credentials but certificates. Where a token will do, there is none to ask for one with.
 * `upstream`: of a project's bindings.
 */
export function credentialNames(upstream) {
  const schemes = Object.values(upstream?.securitySchemes ?? {}).filter(({ type }) => type !== 'mutualTLS');
  return schemes.flatMap(({ env = {} }) => (env.token === undefined ? Object.values(env) : [env.token]));
}

/** Milliseconds a call may take; judges answer at once. */
const callLimit = 30_000;

/**
 * Starts an emitted server and lists its tools. The client's own `listTools` would compile a validator of each output
 * schema: what comes back is not judged here.
 */
export async function openSession(project, settings) {
  const { client, close } = await connectOldClient(project, settings);
  try {
    return { tools: await listTools(client), call: (name, args) => callTool(client, name, args), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function listTools(client) {
  const tools = [];
  let cursor;
  do {
    const page = await client.request({ method: 'tools/list', params: { cursor } }, ListToolsResultSchema);
    tools.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return tools;
}

async function callTool(client, name, args) {
  const request = { method: 'tools/call', params: { name, arguments: args } };
  try {
    const { content } = await client.request(request, CallToolResultSchema, { timeout: callLimit });
    return content.map((block) => block.text ?? `(${block.type})`).join('\n');
  } catch (error) {
    return `protocol error: ${error.message}`;
  }
}
