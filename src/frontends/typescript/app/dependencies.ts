/** The packages that the user's code imports, with the ranges of the nearest package.json that has them. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ts } from 'ts-morph';
import type { SourceProgram } from '../program/source-program.ts';
import { packageOf } from './package-of.ts';

const MEMBERS = ['dependencies', 'peerDependencies', 'optionalDependencies', 'devDependencies'];

export class Dependencies {
  readonly #source: SourceProgram;
  readonly #run = new Map<string, string>();
  readonly #build = new Map<string, string>();
  readonly #manifests = new Map<string, Record<string, unknown> | undefined>();

  constructor(source: SourceProgram) {
    this.#source = source;
  }

  /** `resolved` is the file whose types are read. */
  add(literal: ts.StringLiteralLike, isType: boolean, resolved: string | undefined): void {
    const name = packageOf(literal.text);
    if (name === undefined) return;
    const from = dirname(literal.getSourceFile().fileName);
    const types = `@types/${name.replace(/^@(.+)\//, '$1__')}`;
    const isTyped = resolved?.includes(`/node_modules/${types}/`) === true;
    if (isTyped) this.#note(this.#build, types, from, undefined);
    if (isType && isTyped) return;
    this.#note(isType ? this.#build : this.#run, name, from, literal);
  }

  get dependencies(): Record<string, string> {
    return sorted(this.#run);
  }

  /** What is needed to run is not listed again. */
  get devDependencies(): Record<string, string> {
    return sorted(new Map([...this.#build].filter(([name]) => !this.#run.has(name))));
  }

  #note(ranges: Map<string, string>, name: string, from: string, at: ts.Node | undefined): void {
    if (ranges.has(name)) return;
    const range = this.#rangeOf(name, from);
    ranges.set(name, range ?? this.#installed(name, from));
    if (range !== undefined || at === undefined) return;
    const { diagnostics, originOf } = this.#source;
    const parameters = { package: name, range: ranges.get(name) ?? '*' };
    diagnostics.report('package-without-range', parameters, { at: originOf(at) });
  }

  #rangeOf(name: string, folder: string): string | undefined {
    const manifest = this.#manifest(folder);
    for (const member of MEMBERS) {
      const ranges = manifest?.[member];
      const range: unknown = isObject(ranges) && Object.hasOwn(ranges, name) ? ranges[name] : undefined;
      if (typeof range === 'string') return range;
    }
    const parent = dirname(folder);
    return parent === folder ? undefined : this.#rangeOf(name, parent);
  }

  #installed(name: string, folder: string): string {
    const version = this.#manifest(join(folder, 'node_modules', name))?.['version'];
    if (typeof version === 'string') return `^${version}`;
    const parent = dirname(folder);
    return parent === folder ? '*' : this.#installed(name, parent);
  }

  #manifest(folder: string): Record<string, unknown> | undefined {
    if (!this.#manifests.has(folder)) this.#manifests.set(folder, readManifest(folder));
    return this.#manifests.get(folder);
  }
}

/** Undefined when there is none. */
export function readManifest(folder: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(ranges: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries([...ranges].sort(([one], [other]) => (one < other ? -1 : 1)));
}
