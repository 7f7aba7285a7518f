/** The table of attacks: a file of `rows/` each, so that a new one is found without being named anywhere else. */
import { readdir } from 'node:fs/promises';

/**
 * Target of a family. A family may open its own; otherwise it gets the emitted server of `server.mjs`. Target:
 * `witness`: figures of what must not happen, such as `handlers` that have run and requests that `upstream` got:
 * counted from the start, compared before and after each row.
 */

/**
 * Row: `name`: what is tried, unique in its family; `want`: how it is refused, as `attack` says it: `403`, `400
 * -32600`, `closed`, `MCPG108` …; `reaches`: by how much figures of the witness rise, where the attack is let through
 * in a form that does no harm (one encoded segment). Default: none does; `isControl`: that it is served, as it should
 * be: the rows beside it are refused for what they say; `attack`: resolves with what came of it.
 */

/**
 * Family: `family`: its name in the table; `checks`: which refuse the rows: each row but
 * controls is named by one; `lacks`: a program that this machine lacks: the rows are listed, and not run; `open`:
 * `folder` is fresh and empty.
 */

const folder = new URL('rows/', import.meta.url);

/** By the names of their files. */
export async function readFamilies() {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.mjs')).sort();
  return Promise.all(files.map((name) => import(new URL(name, folder).href)));
}
