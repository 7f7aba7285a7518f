/** Takes one server through its steps, over one connection after the other. */
import assert from 'node:assert/strict';

import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';

import { listAll } from '../lib/clients.mjs';
import { textOf } from './answer.mjs';
import { connections } from './connections.mjs';
import { direct } from './direct.mjs';

/**
 * @typedef {object} Hands what a step works with
 * @property {(tool: string, args?: object, onprogress?: (told: { progress: number }) => void) => Promise<object>} call the
 *   result of a call that has to succeed
 * @property {(tool: string, args?: object) => Promise<string>} refused the words of a call that has to fail
 * @property {(path: string, how?: object) => ReturnType<typeof direct>} ask the server itself, see `direct`
 * @property {Record<string, any>} kept what earlier steps of the same connection left behind
 *
 * @typedef {{ connection: string, tools: number, steps: { name: string, error?: string }[] }} Driven
 */

/**
 * @param {string} project
 * @param {{ url: string, env?: Record<string, string>, headers?: Record<string, string> }} running `headers` are for `ask`
 * @param {Record<string, (hands: Hands) => Promise<void>>} steps in order; the ones after a failed step run too
 * @returns {Promise<Driven[]>}
 */
export async function drive(project, running, steps) {
  const driven = [];
  for (const { name, open } of connections) {
    const { client, close } = await open(project, running.env ?? {});
    try {
      const { tools } = await listAll(client);
      driven.push({
        connection: name,
        tools: tools.length,
        steps: await runSteps(handsOf(callerOf(client), running), steps),
      });
    } finally {
      await close();
    }
  }
  return driven;
}

/** Calls a tool by either client. */
function callerOf(client) {
  return (name, args, onprogress) => {
    const options = onprogress && { onprogress };
    return client instanceof OldClient
      ? client.callTool({ name, arguments: args }, undefined, options)
      : client.callTool({ name, arguments: args }, options);
  };
}

/**
 * @param {(name: string, args: object, onprogress?: Function) => Promise<any>} callTool
 * @param {Parameters<typeof drive>[1]} running
 * @returns {Hands}
 */
export function handsOf(callTool, { url, headers }) {
  return {
    call: async (tool, args = {}, onprogress = undefined) => {
      const result = await callTool(tool, args, onprogress);
      assert.ok(!result.isError, `${tool} failed: ${textOf(result)}`);
      return result;
    },
    refused: async (tool, args = {}) => {
      const result = await callTool(tool, args);
      assert.ok(result.isError, `${tool} did not fail: ${textOf(result)}`);
      return textOf(result);
    },
    ask: (path, how = {}) => direct(url + path, { ...how, headers: { ...headers, ...how.headers } }),
    kept: {},
  };
}

/**
 * @param {Hands} hands
 * @param {Record<string, (hands: Hands) => Promise<void>>} steps
 * @returns {Promise<Driven['steps']>}
 */
export async function runSteps(hands, steps) {
  const results = [];
  for (const [name, step] of Object.entries(steps)) {
    try {
      await step(hands);
      results.push({ name });
    } catch (error) {
      results.push({ name, error: error instanceof Error ? error.message : String(error) });
    }
  }
  return results;
}
