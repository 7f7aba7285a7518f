/** Collects the packages that the user's code imports, with the version ranges of the nearest package.json. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ts } from 'ts-morph';
import { isRecord } from '../../../../templates/runtime/contract/json-value.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { packageOf } from './package-of.ts';
import { installableRange, type InstalledPackage } from './package-range.ts';

const MEMBERS = ['dependencies', 'peerDependencies', 'optionalDependencies', 'devDependencies'];

const NODE_TYPES = '@types/node';

export class Dependencies {
  readonly #source: SourceProgram;
  readonly #run = new Map<string, string>();
  readonly #build = new Map<string, string>();
  readonly #engines = new Set<string>();
  readonly #manifests = new Map<string, Record<string, unknown> | undefined>();

  constructor(source: SourceProgram) {
    this.#source = source;
  }

  /** `resolved` is the file with the package's types. */
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

  /** Adds Node's types, which need no import, and the required versions of Node. */
  addNode(folder: string): void {
    if (this.#rangeOf(NODE_TYPES, folder) !== undefined)
      this.#note(this.#build, NODE_TYPES, folder, undefined);
    const engine = this.#written(folder, ['engines'], 'node');
    if (engine !== undefined) this.#engines.add(engine);
  }

  get engines(): string[] {
    return [...this.#engines];
  }

  get dependencies(): Record<string, string> {
    return sorted(this.#run);
  }

  /** Runtime dependencies are not listed again. */
  get devDependencies(): Record<string, string> {
    return sorted(new Map([...this.#build].filter(([name]) => !this.#run.has(name))));
  }

  #note(ranges: Map<string, string>, name: string, from: string, at: ts.Node | undefined): void {
    if (ranges.has(name)) return;
    const written = this.#rangeOf(name, from);
    const installed = this.#installed(name, from);
    const found = written === undefined ? undefined : installableRange(written, installed);
    const range = found?.range ?? (installed === undefined ? '*' : `^${installed.version}`);
    ranges.set(name, range);
    if (at === undefined) return;
    const { diagnostics, originOf } = this.#source;
    const place = { at: originOf(at) };
    if (written === undefined) diagnostics.report('package-without-range', { package: name, range }, place);
    else if (found !== undefined && 'local' in found)
      diagnostics.report('package-only-here', { package: name, written, range }, place);
  }

  #rangeOf(name: string, folder: string): string | undefined {
    return this.#written(folder, MEMBERS, name);
  }

  #written(folder: string, members: readonly string[], name: string): string | undefined {
    const manifest = this.#manifest(folder);
    for (const member of members) {
      const ranges = manifest?.[member];
      const range: unknown = isRecord(ranges) && Object.hasOwn(ranges, name) ? ranges[name] : undefined;
      if (typeof range === 'string') return range;
    }
    const parent = dirname(folder);
    return parent === folder ? undefined : this.#written(parent, members, name);
  }

  #installed(name: string, folder: string): InstalledPackage | undefined {
    const manifest = this.#manifest(join(folder, 'node_modules', name));
    const version = manifest?.['version'];
    if (typeof version === 'string') return { version, isPrivate: manifest?.['private'] === true };
    const parent = dirname(folder);
    return parent === folder ? undefined : this.#installed(name, parent);
  }

  #manifest(folder: string): Record<string, unknown> | undefined {
    if (!this.#manifests.has(folder)) this.#manifests.set(folder, readManifest(folder));
    return this.#manifests.get(folder);
  }
}

export function readManifest(folder: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function sorted(ranges: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries([...ranges].sort(([one], [other]) => (one < other ? -1 : 1)));
}
