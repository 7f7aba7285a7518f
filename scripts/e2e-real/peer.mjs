/**
 * Takes the peer's server through the same steps, over stdio. Names, arguments and answers are translated between its
 * conventions and ours, so that a step counts when the work was done, whatever the result looks like.
 */
import { ListToolsResultSchema, ResultSchema } from '@modelcontextprotocol/sdk/types.js';

import { connectOldClient } from '../lib/clients.mjs';
import { compilePeer, installPeer, peerCredentials, peerProgram } from '../lib/wire/peer.mjs';
import { handsOf, runSteps } from './drive.mjs';

/** Milliseconds for one call: it does not end streams. */
const CALL_MS = 10_000;

/**
 * @param {string} project an absent folder
 * @param {import('./servers.mjs').Running} running
 * @param {import('./servers.mjs').RealServer['steps']} steps
 * @returns {Promise<import('./verdict.d.mts').PeerReport>}
 */
export async function drivePeer(project, running, steps) {
  try {
    await installPeer();
    await compilePeer(running.document, project);
    const env = { API_BASE_URL: running.url, ...peerCredentials(running.env ?? {}) };
    const { client, close } = await connectOldClient(project, { program: peerProgram, env });
    try {
      // The client's own list would refuse all tools for one that is wrong.
      const { tools } = await client.request({ method: 'tools/list' }, ResultSchema);
      const listRefused = !ListToolsResultSchema.safeParse({ tools }).success;
      const results = await runSteps(handsOf(callerOf(client, tools), running), steps);
      return { tools: tools.length, listRefused, steps: results };
    } finally {
      await close();
    }
  } catch (error) {
    return { tools: 0, steps: [], broken: error instanceof Error ? error.message : String(error) };
  }
}

function callerOf(client, tools) {
  return async (name, args) => {
    const tool = tools.find((one) => plain(one.name) === plain(name));
    if (tool === undefined) throw new Error(`The peer has no tool for ${name}.`);
    const called = { name: tool.name, arguments: argumentsFor(tool.inputSchema, args) };
    return resultOf(await client.callTool(called, undefined, { timeout: CALL_MS }));
  };
}

const plain = (name) => name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();

/**
 * Parameters keep their own names, without `_path` and the like; the body stands below `requestBody`. Some tools list no
 * argument at all: those get both.
 */
function argumentsFor({ properties = {} }, args) {
  const parameters = Object.keys(properties).length === 0 ? { ...args } : {};
  const members = {};
  for (const [name, value] of Object.entries(args)) {
    const bare = name.replace(/_(?:path|query|header|body)$/, '');
    if (Object.hasOwn(properties, name)) parameters[name] = value;
    else if (name === 'body') parameters.requestBody = value;
    else if (Object.hasOwn(properties, bare) && !name.endsWith('_body')) parameters[bare] = value;
    else members[bare] = value;
  }
  return Object.keys(members).length === 0 ? parameters : { ...parameters, requestBody: members };
}

/** Its results are one text each, and failures have no mark of their own. */
function resultOf({ content }) {
  const [, text] = /^API Response \(Status: \d+\):\n([^]*)$/.exec(content[0]?.text ?? '') ?? [];
  if (text === undefined) return { content, isError: true };
  return { content: [{ type: 'text', text }], structuredContent: structureOf(text) };
}

function structureOf(text) {
  try {
    const answer = JSON.parse(text);
    return typeof answer === 'object' && answer !== null && !Array.isArray(answer)
      ? answer
      : { result: answer };
  } catch {
    return { result: text };
  }
}
