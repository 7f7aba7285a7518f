import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

const { inspect } = await import('../../../dist/src/index.js');

/** A package of thousands of functions is read in parts, so that a crash names few of them. */
const PART = 200;

/**
 * Compiles a file that exports every function as a tool. A crash is an exception of the compiler; what a function lacks
 * is a diagnostic.
 *
 * @param {string} folder
 * @param {string} name
 * @param {readonly string[]} functions
 */
export async function readPackage(folder, name, functions) {
  const start = performance.now();
  const found = { tools: 0, errors: 0, warnings: 0, crashes: /** @type {string[]} */ ([]) };
  for (let at = 0; at < functions.length; at += PART) {
    const part = functions.slice(at, at + PART);
    const file = path.join(folder, `read-${at}.mts`);
    await writeFile(file, sourceOf(name, part));
    try {
      const { diagnostics } = await inspect({
        source: file,
        typescript: { files: [file] },
        cwd: folder,
      });
      const errors = diagnostics.filter(({ severity }) => severity === 'error');
      // Each function has a line of its own, in two.
      found.tools += part.length - new Set(errors.map(({ origin }) => origin?.line)).size;
      found.errors += errors.length;
      found.warnings += diagnostics.filter(({ severity }) => severity === 'warning').length;
    } catch (error) {
      found.crashes.push(`${part[0]} to ${part.at(-1)}: ${error instanceof Error ? error.stack : error}`);
    } finally {
      await rm(file, { force: true });
    }
  }
  return { ...found, seconds: Math.round((performance.now() - start) / 100) / 10 };
}

/**
 * @param {string} name
 * @param {readonly string[]} functions
 */
function sourceOf(name, functions) {
  const exports = functions.map(
    (each) => `/** Calls it. @tool t_${each.replaceAll('$', '_')} */\nexport const f_${each} = lib.${each};`,
  );
  return `import * as lib from '${name}';\n${exports.join('\n')}\n`;
}
