/**
 * Runs a module of the user, TypeScript or JavaScript. Types are stripped here, since not every supported Node.js can do that, and
 * so that imports of `mcpgen` work without an installation beside the file.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { SourceMap, isBuiltin } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { LineColumn } from '../../util/text-lines.ts';
import { recordRunFile, recordRunModule, runAndRecord } from '../../diagnostics/running-code.ts';
import type { Observer } from '../../model/observer.ts';
import type { CodeOrigin } from '../../model/origin.ts';
import { transpile } from '../../util/transpile.ts';
import { packageRoot } from '../../util/version.ts';
import type { ValueProblem } from './config-value.ts';

export interface RanModule {
  exports: Record<string, unknown>;
  /** The place in the user's code where an error was thrown; its file is absolute. */
  placeOf: (thrown: unknown) => CodeOrigin | undefined;
}

interface ModuleProblem {
  problem: string;
  place?: LineColumn;
}

/** `path` is absolute. */
export async function runModule(
  path: string,
  text: string,
  observer?: Observer,
): Promise<RanModule | ModuleProblem> {
  const modules = new BuiltModules(observer);
  try {
    const built = await modules.buildModule(path, text);
    for (const file of modules.files) recordRunFile(file);
    recordRunModule(path, (thrown) => modules.locateThrown(thrown));
    const importModule = (): Promise<Record<string, unknown>> => import(pathToFileURL(built).href);
    const exports = await runAndRecord(basename(path), importModule, () => modules.removeBuiltModulesSync());
    // A rejected promise is reported when the export is read; until then it must not end the process.
    Promise.resolve(exports['default']).catch(() => undefined);
    return { exports, placeOf: (thrown) => modules.locateThrown(thrown) };
  } catch (thrown) {
    const problem = modules.restoreSourceFileNames(thrown instanceof Error ? thrown.message : String(thrown));
    const at = thrown instanceof SyntaxFault ? undefined : modules.locateThrown(thrown);
    if (at !== undefined && at.file !== path)
      return { problem: `${problem} (${basename(at.file)}:${at.line}:${at.column})` };
    const place = thrown instanceof SyntaxFault && thrown.file === path ? thrown.place : at;
    return place === undefined ? { problem } : { problem, place: { line: place.line, column: place.column } };
  } finally {
    await modules.removeBuiltModules();
  }
}

class SyntaxFault extends Error {
  readonly file: string;
  readonly place: LineColumn;

  constructor(file: string, { line, column }: LineColumn, message: string) {
    super(`${basename(file)}:${line}:${column}: ${message}`);
    this.file = file;
    this.place = { line, column };
  }
}

interface BuiltModule {
  path: string;
  map: string;
}

/** Modules without types, each in a file beside its own, so that Node resolves their imports as usual. */
class BuiltModules {
  readonly #built = new Map<string, BuiltModule>();
  readonly #suffix = randomUUID().slice(0, 8);
  readonly #observer: Observer | undefined;

  /** Files that are loaded without being built, and packages by name. */
  readonly #unbuiltFiles = new Set<string>();

  get files(): string[] {
    return [...this.#built.keys(), ...this.#unbuiltFiles];
  }

  constructor(observer: Observer | undefined) {
    this.#observer = observer;
  }

  async buildModule(file: string, text: string): Promise<string> {
    this.#observer?.file(file);
    const path = join(dirname(file), `.${basename(file)}.${this.#suffix}.mjs`);
    removeModulesOfKilledRuns(file);
    const module = { path, map: '' };
    this.#built.set(file, module);
    const { code, map, faults, imports } = await transpile(text, file);
    module.map = map;
    const [fault] = faults;
    if (fault !== undefined) throw new SyntaxFault(file, fault, fault.message);
    let output = code;
    for (const { specifier, built, names } of imports)
      output = replaceSpecifier(output, built, await this.#resolveSpecifier(specifier, file, names));
    await writeFile(path, output);
    return path;
  }

  async removeBuiltModules(): Promise<void> {
    await Promise.all([...this.#built.values()].map(({ path }) => rm(path, { force: true })));
  }

  removeBuiltModulesSync(): void {
    for (const { path } of this.#built.values()) rmSync(path, { force: true });
  }

  /** Replaces names of built modules by those of their source files. */
  restoreSourceFileNames(text: string): string {
    return [...this.#built].reduce(
      (message, [file, { path }]) => message.replaceAll(basename(path), basename(file)),
      text,
    );
  }

  locateThrown(thrown: unknown): CodeOrigin | undefined {
    const stack = thrown instanceof Error ? (thrown.stack ?? '') : '';
    const byName = new Map([...this.#built].map(([file, { path, map }]) => [basename(path), { file, map }]));
    for (const [, name = '', line, column] of stack.matchAll(/[/\\]([^/\\\n]+\.mjs):(\d+):(\d+)/g)) {
      const built = byName.get(decodeURIComponent(name));
      if (built === undefined) continue;
      return mapToSource(built.file, built.map, Number(line), Number(column));
    }
    return undefined;
  }

  async #resolveSpecifier(specifier: string, from: string, names: string[] | undefined): Promise<string> {
    if (specifier === 'mcpgen') return new URL(libraryModuleFor(names), packageRoot()).href;
    const target = resolve(dirname(from), specifier);
    if (!/^\.{1,2}\//.test(specifier) || !existsSync(target)) {
      if (!isBuiltin(specifier)) this.#unbuiltFiles.add(specifier);
      return specifier;
    }
    const text = await readFile(target, 'utf8');
    // A `.js` file without imports and exports is CommonJS, whose dependencies are unknown.
    if (/\.(m?ts|mjs)$/.test(target) || (target.endsWith('.js') && /^\s*(import|export)\b/m.test(text)))
      return pathToFileURL(this.#built.get(target)?.path ?? (await this.buildModule(target, text))).href;
    this.#observer?.file(target);
    if (target.endsWith('.json')) return specifier;
    this.#unbuiltFiles.add(target);
    return specifier;
  }
}

/** Modules younger than a minute may be those of a run that is loading them. */
function removeModulesOfKilledRuns(file: string): void {
  const start = `.${basename(file)}.`;
  for (const name of readdirSync(dirname(file))) {
    if (!name.startsWith(start) || !/^[0-9a-f]{8}\.mjs$/.test(name.slice(start.length))) continue;
    const path = join(dirname(file), name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() === true && stats.mtimeMs < Date.now() - 60_000) rmSync(path, { force: true });
  }
}

/** Loads only the module of `defineConfig` if possible, since the whole library takes longer to load than most checks take. */
function libraryModuleFor(names: string[] | undefined): string {
  const isDefineAlone = names?.every((name) => name === 'defineConfig') === true;
  return isDefineAlone ? 'dist/src/config/options/project-config.js' : 'dist/src/index.js';
}

function mapToSource(file: string, map: string, line: number, column: number): CodeOrigin {
  const entry = new SourceMap(JSON.parse(map)).findEntry(line - 1, column - 1);
  return 'originalLine' in entry
    ? { kind: 'code', file, line: entry.originalLine + 1, column: entry.originalColumn + 1 }
    : { kind: 'code', file, line, column };
}

/** Replaces a specifier behind `from` or `import` in the output of TypeScript. */
function replaceSpecifier(code: string, from: string, to: string): string {
  const literal = from.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return code.replace(
    new RegExp(`(\\b(?:from|import)\\s*)(["'])${literal}\\2`, 'g'),
    (_, keyword: string) => `${keyword}${JSON.stringify(to)}`,
  );
}

export async function runConfig(
  path: string,
  text: string,
  observer?: Observer,
): Promise<{ value: unknown } | ValueProblem> {
  const ran = await runModule(path, text, observer);
  if ('problem' in ran) return { ...ran, problem: `it cannot be run (${ran.problem})` };
  let value: unknown;
  try {
    // The export may be a promise.
    value = await runAndRecord(basename(path), () => ran.exports['default']);
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    const at = ran.placeOf(thrown);
    const place = at?.file === path ? { place: { line: at.line, column: at.column } } : {};
    return { problem: `it cannot be run (${reason})`, ...place };
  }
  if (value === undefined)
    return { problem: 'it needs a default export: `export default defineConfig({ … })`' };
  return typeof value === 'function'
    ? { problem: 'it exports a function, but must export an object' }
    : { value };
}
