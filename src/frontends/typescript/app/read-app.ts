import { posix } from 'node:path';
import { ts } from 'ts-morph';
import { DiagnosticCollector } from '../../../diagnostics/collector.ts';
import type { AppFile, AppFiles, AppOptions } from '../../../model/app-files.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { type TextEdit, applyEdits, findUnerasableSyntax, typeModifierEdits } from './type-erasure.ts';
import {
  type BuiltMemory,
  type WrittenFile,
  optionsToKeep,
  toBuiltPath,
  addTranspiledFiles,
} from './built-files.ts';
import { type Carried, isJson } from './carry.ts';
import { collectDependencies } from './read-dependencies.ts';
import { type ModuleSpecifier, moduleSpecifiers } from './module-specifiers.ts';
import type { WorkerFile } from './worker-files.ts';

export interface AppSource {
  source: SourceProgram;
  carried: Carried;
  memory?: BuiltMemory | undefined;
}

/** With `inPlace` the code runs in its original folder, and finds its files and packages there. */
export function makeAppFiles(
  { source, carried, memory }: AppSource,
  { maps = false, inPlace = false }: AppOptions = {},
): AppFiles {
  const { layout } = carried;
  // `checkLoading` makes these reports, so they are dropped here.
  const dependencies = collectDependencies({ ...source, diagnostics: new DiagnosticCollector() }, carried);
  const reader = new AppReader(source, carried, inPlace);
  const written = carried.files.map((file) => reader.makeAppFile(file));
  const files = addTranspiledFiles(written, source, { maps, memory });
  const { diagnostics, originOf } = source;
  const unerasable = carried.files.find((file) => findUnerasableSyntax(file) !== undefined);
  const stubborn = unerasable && findUnerasableSyntax(unerasable);
  if (stubborn !== undefined)
    diagnostics.report('not-erasable', { what: stubborn.what }, { at: originOf(stubborn.node) });
  return {
    root: layout.root,
    files: inPlace ? files : [...files, ...makeAssetFiles(files, carried)],
    dependencies: dependencies.dependencies,
    devDependencies: dependencies.devDependencies,
    engines: dependencies.engines,
    isErasable: stubborn === undefined,
    compilerOptions: optionsToKeep(source, carried),
  };
}

function makeAssetFiles(files: readonly AppFile[], { assets, layout }: Carried): AppFile[] {
  const made = new Map<string, AppFile>();
  for (const asset of assets) {
    if ('problem' in asset) continue;
    const { path, contents } = asset;
    const place = layout.placeOf(path);
    const built = { path: `dist/${place}`, contents };
    made.set(`src/${place}`, {
      path: `src/${place}`,
      origin: path,
      contents,
      imports: [],
      built,
      isAsset: true,
    });
  }
  for (const { path } of files) made.delete(path);
  return [...made.values()];
}

class AppReader {
  readonly #source: SourceProgram;
  readonly #carried: Carried;
  readonly #inPlace: boolean;

  constructor(source: SourceProgram, carried: Carried, inPlace: boolean) {
    this.#inPlace = inPlace;
    this.#source = source;
    this.#carried = carried;
  }

  makeAppFile(file: ts.SourceFile): WrittenFile {
    const below = this.#carried.layout.pathOf(file);
    const path = `src/${below}`;
    const { fileName: origin } = file;
    if (isJson(file)) return { file, path, origin, contents: file.text, imports: [] };
    const imports = new Set<string>();
    const workers = this.#carried.modules.findWorkers(file);
    for (const { own } of workers) imports.add(`src/${this.#carried.layout.pathOf(own)}`);
    const edits = [
      ...moduleSpecifiers(file).flatMap((each) => this.#makeSpecifierEdits(each, below, imports)),
      ...workers.flatMap(({ worker, own }) => this.#makeWorkerEdits(worker, own, below)),
    ];
    const contents = applyEdits(file.text, edits).replaceAll('\r\n', '\n');
    return { file, path, origin, contents, imports: [...imports] };
  }

  #makeSpecifierEdits({ literal, owner }: ModuleSpecifier, from: string, imports: Set<string>): TextEdit[] {
    const { checker, runtimeTypes } = this.#source;
    const { layout, modules } = this.#carried;
    const { fileName: target, own } = modules.resolveModule(literal);
    const modifiers = typeModifierEdits(owner, checker, { isDeclaration: own?.isDeclarationFile === true });
    if (target?.startsWith(`${runtimeTypes}/`) === true)
      return [...modifiers, makeSpecifierEdit(literal, relativeSpecifier('runtime/index.ts', from))];
    if (own === undefined) return modifiers;
    imports.add(`src/${layout.pathOf(own)}`);
    return [
      ...modifiers,
      makeSpecifierEdit(literal, relativeSpecifier(layout.pathOf(own), from)),
      ...jsonAttributeEdit(owner, own),
    ];
  }

  /** tsc rewrites the extensions of imports only. In place, the compiled worker stands beside the running file. */
  #makeWorkerEdits({ text, print, base, isUrl }: WorkerFile, own: ts.SourceFile, from: string): TextEdit[] {
    const place = toBuiltPath(this.#carried.layout.pathOf(own));
    const edit = { ...text, text: print(relativeSpecifier(place, from)) };
    if (!this.#inPlace || base === undefined) return [edit];
    const holder = /\.c[jt]s$/.test(from) ? 'module' : 'import.meta';
    const running = isUrl === true ? 'running' : 'runningFolder';
    return [edit, { start: base.getStart(), end: base.getEnd(), text: `${holder}.${running}` }];
  }
}

function makeSpecifierEdit(literal: ts.StringLiteralLike, specifier: string): TextEdit {
  const start = literal.getStart() + 1;
  return { start, end: literal.getEnd() - 1, text: specifier };
}

function relativeSpecifier(path: string, from: string): string {
  const way = posix.relative(posix.dirname(from), path);
  return way.startsWith('.') ? way : `./${way}`;
}

/** Node requires an import attribute for JSON modules. */
function jsonAttributeEdit(owner: ts.Node, own: ts.SourceFile): TextEdit[] {
  if (!isJson(own) || !ts.isImportDeclaration(owner) || owner.attributes !== undefined) return [];
  const at = owner.moduleSpecifier.getEnd();
  return [{ start: at, end: at, text: " with { type: 'json' }" }];
}
