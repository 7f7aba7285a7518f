import { ts } from 'ts-morph';

import { type Docs, findDocs } from '../docs/read-docs.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { isItemTag } from '../tags/tag-registry.ts';
import {
  type ClassUses,
  type Exported,
  findDeclaration,
  listExports,
  listExportNodes,
  listMethods,
} from './find-methods.ts';
import { reportStrayTags } from './stray-tags.ts';
import {
  type Tagged,
  HandledTags,
  findMethodHolder,
  findExportedInstance,
  taggedSignature,
} from './tagged.ts';

/** Items come in the order of files and exports; inherited methods follow a class's own. */
export function findTagged(source: SourceProgram): Tagged[] {
  const taggedByKey = new Map<string, Tagged>();
  const handledTags = new HandledTags();
  const exports = source.files.flatMap((file) => listExports(file, source));
  const addTagged = (tagged: Tagged, file: ts.SourceFile): void => {
    handledTags.addTags(tagged.block.tags);
    const key = taggedKey(tagged, source);
    // An item that several files export belongs to the file that declares it.
    if (!taggedByKey.has(key) || tagged.at.getSourceFile() === file) taggedByKey.set(key, tagged);
  };
  const uses: ClassUses = {
    handledTags,
    instantiated: new Set(
      exports.flatMap((exported) => findExportedInstance(findDeclaration(exported), source)?.holder ?? []),
    ),
    exported: new Set(exports.flatMap((exported) => findMethodHolder(findDeclaration(exported)) ?? [])),
  };
  for (const exported of exports)
    for (const tagged of findTaggedInExport(exported, uses, source)) addTagged(tagged, exported.file);
  reportStrayTags(source, handledTags);
  const places = new Map(exports.map(({ file, name }, index) => [`${file.fileName} ${name}`, index]));
  const findExportPosition = ({ file, exportName }: Tagged): number =>
    places.get(`${file.fileName} ${exportName}`) ?? Infinity;
  return [...taggedByKey.values()].sort((a, b) => findExportPosition(a) - findExportPosition(b) || 0);
}

function* findTaggedInExport(exported: Exported, uses: ClassUses, source: SourceProgram): Generator<Tagged> {
  const { file, name, target } = exported;
  const declaration = findDeclaration(exported);
  for (const of of [findMethodHolder(declaration), findExportedInstance(declaration, source)])
    if (of !== undefined) yield* listMethods(exported, of, uses, source);
  const taggedBlock = findTaggedBlock(exported, source);
  // Tags of types are reported at the tag.
  if (taggedBlock === undefined || (target.flags & ts.SymbolFlags.Value) === 0) return;
  const { block, at } = taggedBlock;
  uses.handledTags.addTags(block.tags);
  const type = source.checker.getTypeOfSymbol(target);
  const signature = taggedSignature(type, block);
  if (signature === undefined) {
    const tag = block.tags.find((tag) => isItemTag(tag.name));
    source.diagnostics.report(
      'misplaced-tag',
      { tag: tag?.name ?? '', what: `${name}, which is not a function`, suggestion: '' },
      { at: source.originOf(nodeOfName(at)) },
    );
    return;
  }
  const called = name === 'default' ? nameOfTarget(target, file) : name;
  yield {
    file,
    exportName: name,
    name: called,
    block,
    at: nodeOfName(at),
    symbol: target,
    isFromLibrary: isFromLibrary(target, source),
    signature,
  };
}

function isFromLibrary({ declarations = [] }: ts.Symbol, { program }: SourceProgram): boolean {
  return declarations.some((declaration) =>
    program.isSourceFileFromExternalLibrary(declaration.getSourceFile()),
  );
}

function findTaggedBlock(
  { place, target }: Exported,
  { userFiles }: SourceProgram,
): { block: Docs; at: ts.Node } | undefined {
  const ownFiles = new Set(userFiles);
  // A block at the top of a file does not belong to its namespace.
  const declared = (target.declarations ?? []).filter(
    (declaration) => ownFiles.has(declaration.getSourceFile()) && !ts.isSourceFile(declaration),
  );
  for (const node of [...listExportNodes(place), ...declared]) {
    const block = findDocs(node);
    if (block.tags.some(({ name }) => isItemTag(name)))
      return { block, at: node === place ? node : chooseDocumentedNode(place, node) };
  }
  return undefined;
}

function chooseDocumentedNode(place: ts.Node | undefined, node: ts.Node): ts.Node {
  return ts.isExportDeclaration(node) ? (place ?? node) : node;
}

function nodeOfName(node: ts.Node): ts.Node {
  return ts.getNameOfDeclaration(node as ts.Declaration) ?? node;
}

function nameOfTarget(target: ts.Symbol, file: ts.SourceFile): string {
  if (target.name !== 'default' && target.name !== 'export=') return target.name;
  const declaration = target.valueDeclaration;
  const name = declaration && ts.getNameOfDeclaration(declaration);
  if (name !== undefined && ts.isIdentifier(name)) return name.text;
  return file.fileName.replace(/^.*\//, '').replace(/\.[^.]*$/, '');
}

function taggedKey({ block, symbol, holder, method }: Tagged, { checker }: SourceProgram): string {
  const [tag] = block.tags;
  const place = tag === undefined ? '' : `${tag.file.fileName}:${tag.offset}`;
  const called = holder === undefined ? '' : (method?.name ?? '');
  return `${place} ${checker.getFullyQualifiedName(holder ?? symbol)} ${called}`;
}
