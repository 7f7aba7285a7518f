/**
 * Runs a `mcpgen.config.ts` (or `.js`). Its types are stripped here, whatever the Node.js: not every one that mcpgen runs
 * on can do that, and `mcpgen` itself is found whether or not it is installed where the file stands.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ValueProblem } from './config-value.ts';
import type { LineColumn } from './diagnostics/locate/line-column.ts';
import { transpile } from './emit/transpile.ts';
import type { Observer } from './model/observer.ts';
import { packageRoot } from './version.ts';

/** What it exports by default, or what is wrong, in words that end a sentence. `path` is absolute. */
export async function runConfig(
  path: string,
  text: string,
  observer?: Observer,
): Promise<{ value: unknown } | ValueProblem> {
  const modules = new BuiltModules(observer);
  try {
    const built = await modules.build(path, text);
    const exported = (await import(pathToFileURL(built).href)) as Record<string, unknown>;
    const value = exported['default'];
    if (value === undefined)
      return { problem: 'it has no default export: `export default defineConfig({ … })`' };
    return typeof value === 'function'
      ? { problem: 'it exports a function, and must export an object' }
      : { value };
  } catch (thrown) {
    const problem = `it cannot be run (${wordsOf(thrown, modules)})`;
    return thrown instanceof SyntaxFault && thrown.file === path
      ? { problem, place: thrown.place }
      : { problem };
  } finally {
    await modules.remove();
  }
}

/** A module that TypeScript cannot read. */
class SyntaxFault extends Error {
  readonly file: string;
  readonly place: LineColumn;

  constructor(file: string, { line, column }: LineColumn, message: string) {
    super(`${basename(file)}:${line}:${column}: ${message}`);
    this.file = file;
    this.place = { line, column };
  }
}

/** Modules as Node.js runs them, each in a file beside its own, so that what they import is found as ever. */
class BuiltModules {
  /** By the file they are built from. */
  readonly #built = new Map<string, string>();
  readonly #suffix = randomUUID().slice(0, 8);
  readonly #observer: Observer | undefined;

  constructor(observer: Observer | undefined) {
    this.#observer = observer;
  }

  async build(file: string, text: string): Promise<string> {
    this.#observer?.file(file);
    const path = join(dirname(file), `.${basename(file)}.${this.#suffix}.mjs`);
    this.#built.set(file, path);
    const { code, faults, imports } = await transpile(text, file);
    const [fault] = faults;
    if (fault !== undefined) throw new SyntaxFault(file, fault, fault.message);
    let output = code;
    for (const { specifier, built } of imports)
      output = withSpecifier(output, built, await this.#specifierFor(specifier, file));
    await writeFile(path, output);
    return path;
  }

  async remove(): Promise<void> {
    await Promise.all([...this.#built.values()].map((path) => rm(path, { force: true })));
  }

  /** Names of modules as the person wrote them. */
  inWords(text: string): string {
    return [...this.#built].reduce(
      (words, [file, path]) => words.replaceAll(basename(path), basename(file)),
      text,
    );
  }

  async #specifierFor(specifier: string, from: string): Promise<string> {
    if (specifier === 'mcpgen') return new URL('dist/src/index.js', packageRoot()).href;
    const target = resolve(dirname(from), specifier);
    if (!/^\.{1,2}\//.test(specifier) || !/\.m?ts$/.test(specifier) || !existsSync(target)) return specifier;
    const path = this.#built.get(target) ?? (await this.build(target, await readFile(target, 'utf8')));
    return pathToFileURL(path).href;
  }
}

/** In what TypeScript printed, behind `from` or `import`. */
function withSpecifier(code: string, from: string, to: string): string {
  const literal = from.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return code.replace(
    new RegExp(`(\\b(?:from|import)\\s*)(["'])${literal}\\2`, 'g'),
    (_, keyword: string) => `${keyword}${JSON.stringify(to)}`,
  );
}

function wordsOf(thrown: unknown, modules: BuiltModules): string {
  return modules.inWords(thrown instanceof Error ? thrown.message : String(thrown));
}
