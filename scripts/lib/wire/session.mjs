/** Tools, listed and called by an official client over stdio. */
import { CallToolResultSchema, ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js';

import { connectOldClient } from '../clients.mjs';

/** Milliseconds a call may take; judges answer at once. */
const callLimit = 30_000;

/**
 * @typedef {object} Session
 * @property {{ name: string, inputSchema: object }[]} tools as listed
 * @property {(name: string, args: object) => Promise<string>} call what the result says as text; never throws
 * @property {() => Promise<void>} close ends the server too
 */

/**
 * Starts an emitted server and lists its tools. The client's own `listTools` would compile a validator of each output
 * schema: what comes back is not judged here.
 * @param {string} project
 * @param {{ env: Record<string, string>, program?: string }} settings
 * @returns {Promise<Session>}
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
