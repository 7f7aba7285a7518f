/** Packages that the user's code imports, with the ranges of the nearest package.json. */
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import type { ts } from 'ts-morph';

import { isRecord } from '../../../../templates/runtime/contract/json-value.ts';
import { findAbove } from '../../../util/find-above.ts';
import { isJavaScript } from '../program/compiler-host.ts';
import type { SourceProgram } from '../program/source-program.ts';

const MEMBERS = ['dependencies', 'peerDependencies', 'optionalDependencies', 'devDependencies'];

const NODE_TYPES = '@types/node';

export class Dependencies {
  readonly #source: SourceProgram;
  readonly #run = new Map<string, string>();
  readonly #build = new Map<string, string>();
  readonly #engines = new Set<string>();

  constructor(source: SourceProgram) {
    this.#source = source;
  }

  /** `resolved` is the file with the package's types. */
  addImport(literal: ts.StringLiteralLike, isType: boolean, resolved: string | undefined): void {
    const name = toPackageName(literal.text);
    if (name === undefined) return;
    const from = dirname(literal.getSourceFile().fileName);
    const types = `@types/${name.replace(/^@(.+)\//, '$1__')}`;
    const isTyped = resolved?.includes(`/node_modules/${types}/`) === true;
    if (isTyped) this.#noteRange(this.#build, types, from, undefined);
    if (isType && isTyped) return;
    // TypeScript reports a module that it does not find, and an alias is reported when packages are checked.
    const ranges = isType ? this.#build : this.#run;
    if (ranges.has(name)) return;
    const isOdd = isTyped ? false : resolved === undefined ? this.#isUnresolved(literal) : true;
    const isTold = isOdd && findInstalled(name, from) === undefined;
    this.#noteRange(ranges, name, from, isTold ? undefined : literal);
  }

  /** Code uses Node's types without an import, so they are added if a manifest lists them. */
  addNodeTypesAndEngine(folder: string): void {
    if (this.#findRange(NODE_TYPES, folder) !== undefined)
      this.#noteRange(this.#build, NODE_TYPES, folder, undefined);
    const engine = this.#findWrittenRange(folder, ['engines'], 'node');
    if (engine !== undefined) this.#engines.add(engine);
  }

  get engines(): string[] {
    return [...this.#engines];
  }

  get dependencies(): Record<string, string> {
    return sortRanges(this.#run);
  }

  get devDependencies(): Record<string, string> {
    return sortRanges(new Map([...this.#build].filter(([name]) => !this.#run.has(name))));
  }

  #noteRange(ranges: Map<string, string>, name: string, from: string, at: ts.Node | undefined): void {
    if (ranges.has(name)) return;
    const rangeText = this.#findRange(name, from);
    const installed = findInstalled(name, from);
    const installable = rangeText === undefined ? undefined : makeInstallableRange(rangeText, installed);
    const range = installable?.range ?? (installed === undefined ? '*' : `^${installed.version}`);
    ranges.set(name, range);
    if (at === undefined) return;
    const { diagnostics, originOf } = this.#source;
    const place = { at: originOf(at) };
    if (rangeText === undefined) diagnostics.report('package-range-assumed', { package: name, range }, place);
    else if (installable !== undefined && 'local' in installable)
      diagnostics.report('package-range-assumed', { package: name, written: rangeText, range }, place);
  }

  #isUnresolved(literal: ts.Node): boolean {
    return (
      !isJavaScript(literal.getSourceFile()) &&
      this.#source.checker.getSymbolAtLocation(literal) === undefined
    );
  }

  #findRange(name: string, folder: string): string | undefined {
    return this.#findWrittenRange(folder, MEMBERS, name);
  }

  #findWrittenRange(folder: string, members: readonly string[], name: string): string | undefined {
    return findAbove(folder, (parent) => {
      const manifest = readManifest(parent);
      return members
        .map((member) => manifest?.[member])
        .map((ranges) => (isRecord(ranges) && Object.hasOwn(ranges, name) ? ranges[name] : undefined))
        .find((range) => typeof range === 'string');
    });
  }
}

/** Finds a package in the nearest `node_modules` that has it. */
export function findInstalled(name: string, from: string): InstalledPackage | undefined {
  return findAbove(from, (folder) => {
    const { version, private: isPrivate } = readManifest(join(folder, 'node_modules', name)) ?? {};
    return typeof version === 'string' ? { version, isPrivate: isPrivate === true } : undefined;
  });
}

export function readManifest(folder: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function sortRanges(ranges: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries([...ranges].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Returns the package's name; undefined for files, subpath imports, URLs and Node's own modules. */
export function toPackageName(specifier: string): string | undefined {
  if (/^[./#]|^[a-z]+:/i.test(specifier) || isBuiltin(specifier)) return undefined;
  const [first = '', second = ''] = specifier.split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}

type InstallableRange =
  | { range: string }
  /** `local` is a folder or file of this machine; `range` replaces it. */
  | { range: string; local: string };

interface InstalledPackage {
  version: string;
  isPrivate: boolean;
}

/** Makes a range that can be installed anywhere. Undefined for a range in a catalog. */
function makeInstallableRange(
  rangeText: string,
  installed: InstalledPackage | undefined,
): InstallableRange | undefined {
  if (rangeText.startsWith('catalog:')) return undefined;
  const installedRange = installed === undefined ? '*' : `^${installed.version}`;
  if (!rangeText.startsWith('workspace:'))
    return isLocal(rangeText) ? { range: installedRange, local: rangeText } : { range: rangeText };
  const range = toPublishedRange(rangeText.slice('workspace:'.length), installed?.version);
  return installed?.isPrivate === true || range === undefined
    ? { range: range ?? '*', local: rangeText }
    : { range };
}

function isLocal(range: string): boolean {
  return /^(?:(?:file|link|portal|patch|exec):|\.{0,2}\/|~\/|[a-z]:[/\\])/i.test(range);
}

/** Publishes workspace ranges as pnpm does: `*` is the version, and `^` and `~` precede it. */
function toPublishedRange(range: string, version: string | undefined): string | undefined {
  const [, alias, packageName = range] = /^(@?[^@]+)@(.+)$/.exec(range) ?? [];
  if (isLocal(packageName)) return undefined;
  const sign = /^[*^~]$/.test(packageName);
  if (sign && version === undefined) return undefined;
  const plain = sign ? `${packageName === '*' ? '' : packageName}${version ?? ''}` : packageName;
  return alias === undefined ? plain : `npm:${alias}@${plain}`;
}
