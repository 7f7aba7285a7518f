/** Packages that the user's code imports, with the ranges of the nearest package.json. */
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import type { ts } from 'ts-morph';

import { readJsonObject } from '../../../util/read-file.ts';
import { isRecord } from '../../../../templates/runtime/json-rpc.ts';
import { omitUndefined } from '../../../util/collections.ts';
import { findAbove } from '../../../util/find-above.ts';
import type { SourceProgram } from '../program/source-program.ts';

/** Ranges that only mean something in their own folder, workspace or catalog. */
const OF_THIS_MACHINE = /^(?:(?:workspace|catalog|file|link|portal|patch|exec):|\.{0,2}\/|~\/|[a-z]:[/\\])/i;

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
    this.#noteRange(isType ? this.#build : this.#run, name, from, literal);
  }

  addPackage(specifier: string, from: string): void {
    const name = toPackageName(specifier);
    if (name !== undefined) this.#noteRange(this.#run, name, from, undefined);
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
    const installed = findInstalledVersion(name, from);
    const isPortable = rangeText !== undefined && !OF_THIS_MACHINE.test(rangeText);
    const range = isPortable ? rangeText : installed === undefined ? '*' : `^${installed}`;
    ranges.set(name, range);
    if (at === undefined || isPortable || rangeText?.startsWith('catalog:') === true) return;
    // TypeScript reports a module that it does not find.
    if (rangeText === undefined && installed === undefined) return;
    const { diagnostics, originOf } = this.#source;
    const written = omitUndefined({ written: rangeText });
    diagnostics.report('package-range-assumed', { package: name, ...written, range }, { at: originOf(at) });
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

/** Finds the version of a package in the nearest `node_modules` that has it. */
export function findInstalledVersion(name: string, from: string): string | undefined {
  return findAbove(from, (folder) => {
    const version = readManifest(join(folder, 'node_modules', name))?.['version'];
    return typeof version === 'string' ? version : undefined;
  });
}

export function readManifest(folder: string): Record<string, unknown> | undefined {
  return readJsonObject(join(folder, 'package.json'));
}

function sortRanges(ranges: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries([...ranges].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Returns the package's name; undefined for files, subpath imports, URLs and Node's own modules. */
function toPackageName(specifier: string): string | undefined {
  if (/^[./#]|^[a-z]+:/i.test(specifier) || isBuiltin(specifier)) return undefined;
  const [first = '', second = ''] = specifier.split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}
