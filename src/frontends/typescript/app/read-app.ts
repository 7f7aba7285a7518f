/** The user's files, as they stand and run in the project: laid out as they are, importing what Node finds. */
import { posix } from 'node:path';
import { ts } from 'ts-morph';
import type { AppFiles, AppOptions } from '../../../model/app-files.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { isJson, withBuilt, type WrittenFile } from './built-files.ts';
import { Dependencies } from './dependencies.ts';
import { keptOptions } from './kept-options.ts';
import type { Layout } from './layout.ts';
import { type ModuleSpecifier, moduleSpecifiers } from './module-specifiers.ts';
import { notErasable } from './not-erasable.ts';
import { applyEdits, type TextEdit } from './text-edits.ts';
import { typeModifiers } from './type-modifiers.ts';

export function readApp(source: SourceProgram, layout: Layout, { maps = false }: AppOptions = {}): AppFiles {
  const dependencies = new Dependencies(source);
  const reader = new AppReader(source, layout, dependencies);
  const written = source.userFiles.map((file) => reader.read(file));
  const files = withBuilt(written, source, { maps });
  const { diagnostics, originOf } = source;
  const stubborn = source.userFiles.map(notErasable).find((each) => each !== undefined);
  if (stubborn !== undefined)
    diagnostics.report('not-erasable', { what: stubborn.what }, { at: originOf(stubborn.node) });
  return {
    root: layout.root,
    files,
    dependencies: dependencies.dependencies,
    devDependencies: dependencies.devDependencies,
    isErasable: stubborn === undefined,
    compilerOptions: keptOptions(source, layout),
  };
}

class AppReader {
  readonly #source: SourceProgram;
  readonly #layout: Layout;
  readonly #dependencies: Dependencies;
  readonly #own: ReadonlyMap<string, ts.SourceFile>;
  readonly #cache: ts.ModuleResolutionCache;

  constructor(source: SourceProgram, layout: Layout, dependencies: Dependencies) {
    this.#source = source;
    this.#layout = layout;
    this.#dependencies = dependencies;
    this.#own = new Map(source.userFiles.map((file) => [file.fileName, file]));
    this.#cache = ts.createModuleResolutionCache('/', (name) => name, source.program.getCompilerOptions());
  }

  read(file: ts.SourceFile): WrittenFile {
    const below = this.#layout.pathOf(file);
    const path = `src/${below}`;
    if (isJson(file)) return { file, path, contents: file.text, imports: [] };
    const imports = new Set<string>();
    const edits = moduleSpecifiers(file).flatMap((each) => this.#rewrite(each, below, imports));
    const contents = applyEdits(file.text, edits).replaceAll('\r\n', '\n');
    return { file, path, contents, imports: [...imports] };
  }

  #rewrite({ literal, owner, isType }: ModuleSpecifier, from: string, imports: Set<string>): TextEdit[] {
    const { program, checker, runtimeTypes } = this.#source;
    const { resolvedModule } = ts.resolveModuleName(
      literal.text,
      literal.getSourceFile().fileName,
      program.getCompilerOptions(),
      ts.sys,
      this.#cache,
      undefined,
      program.getModeForUsageLocation(literal.getSourceFile(), literal),
    );
    const target = resolvedModule?.resolvedFileName;
    const own = target === undefined ? undefined : this.#own.get(target);
    const modifiers = typeModifiers(owner, checker, { isDeclaration: own?.isDeclarationFile === true });
    if (target?.startsWith(`${runtimeTypes}/`) === true)
      return [...modifiers, specifierEdit(literal, relativeTo('runtime/index.ts', from))];
    if (own === undefined) {
      this.#dependencies.add(literal, isType || isErased(owner, checker), target);
      return modifiers;
    }
    imports.add(`src/${this.#layout.pathOf(own)}`);
    return [
      ...modifiers,
      specifierEdit(literal, relativeTo(this.#layout.pathOf(own), from)),
      ...jsonType(owner, own),
    ];
  }
}

/** Whether an import has types alone, though it does not say so. */
function isErased(owner: ts.Node, checker: ts.TypeChecker): boolean {
  return typeModifiers(owner, checker, { isDeclaration: false }).some(({ text }) => text === ' type');
}

function specifierEdit(literal: ts.StringLiteralLike, specifier: string): TextEdit {
  const start = literal.getStart() + 1;
  return { start, end: literal.getEnd() - 1, text: specifier };
}

function relativeTo(path: string, from: string): string {
  const way = posix.relative(posix.dirname(from), path);
  return way.startsWith('.') ? way : `./${way}`;
}

/** Node wants to be told that a module is JSON. */
function jsonType(owner: ts.Node, own: ts.SourceFile): TextEdit[] {
  if (!isJson(own) || !ts.isImportDeclaration(owner) || owner.attributes !== undefined) return [];
  const at = owner.moduleSpecifier.getEnd();
  return [{ start: at, end: at, text: " with { type: 'json' }" }];
}
