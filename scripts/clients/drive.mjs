/**
 * One client, in a process of its own and with its own Node: reads a task from stdin, writes `{ listed, results }` to the file it
 * names. Packages of others say what they like on stdout.
 */
import { writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

/**
 * @typedef {object} Task
 * @property {string} driver a module of `drivers/`
 * @property {string} transport stdio, http, sse or ws
 * @property {string} mode what the client calls its way of negotiating, or ''
 * @property {{ command: string, args: string[], env: Record<string, string> }} [program] with stdio
 * @property {string} [url] with the others
 * @property {{ tool: string, args: object }[]} calls
 * @property {string} model the URL of the fake model
 * @property {string} inspector its program
 *
 * @typedef {object} Driven
 * @property {string} [revision] that was negotiated, where the client tells
 * @property {string[]} [listed] the tools, as this client names them
 * @property {string[]} [typed] those that were listed with a schema of their results
 * @property {{ content: { type: string, text?: string }[], structuredContent?: object, isError?: boolean }[]} [results] of `calls`; absent
 *   where a model makes them
 */

const { out, ...task } = JSON.parse(await text(process.stdin));
try {
  const { drive } = await import(`./drivers/${task.driver}.mjs`);
  writeFileSync(out, JSON.stringify({ driven: await drive(task) }));
} catch (error) {
  writeFileSync(out, JSON.stringify({ error: wordsOf(error) }));
}
// Some leave handles open after they were closed.
process.exit(0);

function wordsOf(error) {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : ` ← ${wordsOf(error.cause)}`;
  return `${error.name}: ${error.message}${cause}`;
}
