import { posix } from 'node:path';
import { ts } from 'ts-morph';
import { DiagnosticCollector } from '../../../diagnostics/collector.ts';
import type { AppFile, AppFiles, AppOptions } from '../../../model/app-files.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { type TextEdit, applyEdits, importsOnlyTypes, typeModifierEdits } from './type-erasure.ts';
import { type WrittenFile, optionsToKeep, addTranspiledFiles } from './built-files.ts';
import { type Carried, isJson } from './carry.ts';
import { Dependencies } from './dependencies.ts';
import { moduleSpecifiers } from './module-specifiers.ts';

interface AppSource {
  source: SourceProgram;
  carried: Carried;
}

/** With `inPlace` the code runs in its original folder, and finds its files and packages there. */
export function makeAppFiles(
  { source, carried }: AppSource,
  { maps = false, inPlace = false }: AppOptions = {},
): AppFiles {
  const { layout } = carried;
  // `checkLoading` makes these reports, so they are dropped here.
  const dependencies = collectDependencies({ ...source, diagnostics: new DiagnosticCollector() }, carried);
  const appFiles = carried.files.map((file) => makeAppFile(file, source, carried));
  const files = addTranspiledFiles(appFiles, source, maps);
  return {
    root: layout.root,
    files: inPlace ? files : [...files, ...makeAssetFiles(files, carried)],
    dependencies: dependencies.dependencies,
    devDependencies: dependencies.devDependencies,
    engines: dependencies.engines,
    compilerOptions: optionsToKeep(source, carried),
  };
}

function makeAssetFiles(files: readonly AppFile[], { assets, layout }: Carried): AppFile[] {
  const assetFiles = new Map<string, AppFile>();
  for (const asset of assets) {
    if ('problem' in asset) continue;
    const { path, contents } = asset;
    const place = layout.placeOf(path);
    const built = { path: `dist/${place}`, contents };
    assetFiles.set(`src/${place}`, {
      path: `src/${place}`,
      origin: path,
      contents,
      imports: [],
      built,
      isAsset: true,
    });
  }
  for (const { path } of files) assetFiles.delete(path);
  return [...assetFiles.values()];
}

function makeAppFile(file: ts.SourceFile, source: SourceProgram, carried: Carried): WrittenFile {
  const below = carried.layout.pathOf(file);
  const path = `src/${below}`;
  const { fileName: origin } = file;
  if (isJson(file)) return { file, path, origin, contents: file.text, imports: [] };
  const imports = new Set<string>();
  const edits = moduleSpecifiers(file).flatMap(({ literal, owner }): TextEdit[] => {
    const { fileName: target, ownFile } = carried.modules.resolveModule(literal);
    const options = { isDeclaration: ownFile?.isDeclarationFile === true };
    const modifiers = typeModifierEdits(owner, source.checker, options);
    if (target?.startsWith(`${source.runtimeTypes}/`) === true)
      return [...modifiers, makeSpecifierEdit(literal, relativeSpecifier('runtime/index.ts', below))];
    if (ownFile === undefined) return modifiers;
    const place = carried.layout.pathOf(ownFile);
    imports.add(`src/${place}`);
    return [
      ...modifiers,
      makeSpecifierEdit(literal, relativeSpecifier(place, below)),
      ...jsonAttributeEdit(owner, ownFile),
    ];
  });
  return {
    file,
    path,
    origin,
    contents: applyEdits(file.text, edits).replaceAll('\r\n', '\n'),
    imports: [...imports],
  };
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
function jsonAttributeEdit(owner: ts.Node, jsonFile: ts.SourceFile): TextEdit[] {
  if (!isJson(jsonFile) || !ts.isImportDeclaration(owner) || owner.attributes !== undefined) return [];
  const at = owner.moduleSpecifier.getEnd();
  return [{ start: at, end: at, text: " with { type: 'json' }" }];
}

/** Collects the packages that the files import. Reports those whose range the project cannot take over. */
function collectDependencies(source: SourceProgram, { files, modules }: Carried): Dependencies {
  const dependencies = new Dependencies(source);
  for (const file of files) {
    dependencies.addNodeTypesAndEngine(posix.dirname(file.fileName));
    if (isJson(file)) continue;
    for (const { literal, owner, isType } of moduleSpecifiers(file)) {
      const { fileName: target, ownFile } = modules.resolveModule(literal);
      const isOther = ownFile === undefined && target?.startsWith(`${source.runtimeTypes}/`) !== true;
      if (isOther) dependencies.addImport(literal, isType || importsOnlyTypes(owner, source.checker), target);
    }
    const { jsx, jsxImportSource = 'react' } = source.program.getCompilerOptions();
    // TypeScript adds an import of the runtime to each file with JSX.
    const isImplicit = jsx !== undefined && jsx !== ts.JsxEmit.React && /\.[jt]sx$/.test(file.fileName);
    const [, pragma] = /@jsxImportSource\s+(\S+)/.exec(file.text) ?? [];
    if (isImplicit) dependencies.addPackage(pragma ?? jsxImportSource, posix.dirname(file.fileName));
  }
  return dependencies;
}

/** Reports what fails when the copied code runs: files that are not copied, and packages whose ranges may differ. */
export function checkLoading(source: SourceProgram, carried: Carried): void {
  collectDependencies(source, carried);
  for (const asset of carried.assets) {
    if (!('problem' in asset)) continue;
    const { what, problem, node } = asset;
    source.diagnostics.report('file-not-carried', { what, problem }, { at: source.originOf(node) });
  }
}
