/** The table of attacks: a file of `rows/` each, so that a new one is found without being named anywhere else. */
import { readdir, readFile } from 'node:fs/promises';

/**
 * Target of a family. A family may open its own; otherwise it gets the emitted server of `server.mjs`.
 * @typedef {object} Target
 * @property {() => Promise<Record<string, number>>} witness figures of what must not happen, such as `handlers` that have
 *   run and requests that `upstream` got: counted from the start, compared before and after each row
 * @property {() => Promise<void>} close
 */

/**
 * @template {Target} T
 * @typedef {object} Row
 * @property {string} name what is tried, unique in its family
 * @property {string} want how it is refused, as `attack` says it: `403`, `400 -32600`, `closed`, `MCPG108` …
 * @property {Record<string, number>} [reaches] by how much figures of the witness rise, where the attack is let through in a
 *   form that does no harm (one encoded segment). Default: none does
 * @property {boolean} [isControl] that it is served, as it should be: the rows beside it are refused for what they say
 * @property {(target: T) => Promise<string>} attack resolves with what came of it
 */

/**
 * @template {Target} [T=Target]
 * @typedef {object} Family
 * @property {string} family its name in the table
 * @property {string} text of its module
 * @property {Row<T>[]} rows
 * @property {import('./prove/check.mjs').Check[]} checks which refuse the rows: each row but controls is named by one
 * @property {string} [lacks] a program that this machine lacks: the rows are listed, and not run
 * @property {(folder: string) => Promise<T>} [open] `folder` is fresh and empty
 */

const folder = new URL('rows/', import.meta.url);

/** @returns {Promise<Family[]>} by the names of their files */
export async function readFamilies() {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.mjs')).sort();
  return Promise.all(
    files.map(async (name) => {
      const module = new URL(name, folder);
      return { ...(await import(module.href)), text: await readFile(module, 'utf8') };
    }),
  );
}
