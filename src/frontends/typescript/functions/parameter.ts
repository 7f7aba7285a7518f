import { ts } from 'ts-morph';

import { suggestNearest } from '../../../../templates/runtime/contract/feature.ts';
import {
  type Docs,
  type ParamTag,
  type ParamDocs,
  parseParamTags,
  findDocs,
  collectParamDocs,
  mergeDocs,
} from '../docs/read-docs.ts';
import { isJavaScript } from '../program/compiler-host.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { closeIfParameter } from '../schema/open-type.ts';
import {
  type Declared,
  type SignatureParameter,
  findFactoryCall,
  findInitializer,
  isPattern,
  signatureParameters,
  listWrittenParameters,
} from './signature-parameters.ts';
import type { Tagged } from './tagged.ts';
import { isContext } from './type-kinds.ts';

export interface FunctionParameter extends SignatureParameter {
  /** Whether it has a name: a destructured parameter without `@param` has none. */
  isNamed: boolean;
  at: ts.Node;
  isLibrary: boolean;
  written: Declared | undefined;
  /** The call that makes the function: `wrap((port: Port) => …)`. */
  factory: ts.CallExpression | undefined;
  docs: Docs;
  /** The function's docs for members of the argument. */
  said: ParamDocs;
}

export function readTaggedParameters(
  tagged: Tagged,
  { checker, userFiles }: SourceProgram,
): FunctionParameter[] {
  const parameters = signatureParameters(tagged.signature, checker);
  const headOf = createParamNameLookup(parameters, tagged);
  const written = listWrittenParameters(tagged);
  const factory = findFactoryCall(tagged.symbol.valueDeclaration, checker);
  return parameters.map((parameter, index) => {
    const { declaration } = parameter;
    const head = headOf(parameter);
    const isOwn = declaration !== undefined && userFiles.includes(declaration.getSourceFile());
    const tags = listParamTags(declaration, tagged).filter((tag) => tag.head === head);
    const said = collectParamDocs(findInitializer(declaration) === undefined ? tags : tags.map(dropPreset));
    const own = declaration === undefined ? { tags: [] } : findDocs(declaration);
    return {
      ...parameter,
      name: head ?? parameter.name,
      isNamed: head !== undefined,
      at: isOwn ? declaration : tagged.at,
      isLibrary: tagged.isFromLibrary,
      written: written[index] ?? declaration,
      factory,
      docs: mergeDocs(own, said.get('')),
      said,
    };
  });
}

/** The tagged block may stand before a constant that wraps the function. */
function listParamTags(declaration: Declared | undefined, { block }: Tagged): ParamTag[] {
  const isWrapped = declaration !== undefined && ts.isParameter(declaration);
  return [...(isWrapped ? parseParamTags(findDocs(declaration.parent)) : []), ...parseParamTags(block)];
}

/**
 * A destructured parameter has no name: it takes the `@param` name at its position if all parameters are documented,
 * as in TypeScript, else the remaining one. A name that looks like a misspelt parameter is not taken.
 */
function createParamNameLookup(
  parameters: readonly SignatureParameter[],
  tagged: Tagged,
): (parameter: SignatureParameter) => string | undefined {
  const names = parameters.filter((each) => !isUnnamed(each)).map(({ name }) => name);
  const patterns = parameters.filter(isUnnamed);
  return (parameter) => {
    if (!isUnnamed(parameter)) return parameter.name;
    const heads = [...new Set(listParamTags(parameter.declaration, tagged).map(({ head }) => head))];
    const unsaid = names.filter((name) => !heads.includes(name));
    const left = heads.filter((head) => !names.includes(head) && suggestNearest(head, unsaid) === undefined);
    const inPlace = heads.length === parameters.length ? heads[parameters.indexOf(parameter)] : undefined;
    const isFree = inPlace !== undefined && left.includes(inPlace);
    return isFree ? inPlace : left[patterns.indexOf(parameter)];
  };
}

export function isUnnamed({ declaration }: SignatureParameter): boolean {
  return declaration !== undefined && isPattern(declaration);
}

function dropPreset(tag: ParamTag): ParamTag {
  if (tag.way !== '') return tag;
  const { name, docs } = tag.named;
  return { ...tag, named: { name, docs } };
}

export function checkParamTags(
  tagged: Tagged,
  parameters: readonly FunctionParameter[],
  source: SourceProgram,
): void {
  const seen = new Set<string>();
  for (const tag of listOwnParamTags(tagged, source)) {
    const { name } = tag.named;
    // The block is part of the key: a wrapped function and its constant may both have the tag.
    const key = `${tag.block} ${name}`;
    const isRepeated = seen.has(key);
    seen.add(key);
    if (isRepeated)
      source.diagnostics.report(
        'repeated-tag',
        { tag: `param ${name}` },
        { at: source.originOfTag(tag.tag) },
      );
    checkTagType(tag, parameters, source);
    const meant = suggestParameterName(tag, parameters, source);
    if (meant === undefined) continue;
    const at = source.originOfTag(tag.tag);
    source.diagnostics.report('param-without-parameter', { name, meant }, { at });
  }
}

/** The TypeScript type wins over a JSDoc type. */
function checkTagType(
  { head, way, named, tag }: ParamTag,
  parameters: readonly FunctionParameter[],
  source: SourceProgram,
): void {
  const parameter = parameters.find(({ name, isNamed }) => isNamed && name === head);
  const { type: given = '', name } = named;
  if (parameter === undefined || given === '' || isJavaScript(tag.file)) return;
  const type = typeAtPath(way, parameter.type, source);
  if (type === undefined || isSameType(given, type, source)) return;
  const is = source.checker.typeToString(source.checker.getNonNullableType(type));
  source.diagnostics.report('jsdoc-type-unread', { name, type: given, is }, { at: source.originOfTag(tag) });
}

function typeAtPath(way: string, type: ts.Type, { checker }: SourceProgram): ts.Type | undefined {
  let found: ts.Type | undefined = type;
  for (const step of splitPathSteps(way))
    found =
      found &&
      listObjectTypes(found, checker)
        .map((each) => findTypeAtStep(each, step, checker))
        .find((part) => part !== undefined);
  return found;
}

/** Lists the tags of the function and of the constant that holds it. */
function listOwnParamTags(
  { block, signature: { declaration } }: Tagged,
  { userFiles }: SourceProgram,
): ParamTag[] {
  const isOwn = declaration !== undefined && userFiles.includes(declaration.getSourceFile());
  const all = [...(isOwn ? parseParamTags(findDocs(declaration)) : []), ...parseParamTags(block)];
  const places = new Map(all.map((each) => [`${each.tag.file.fileName} ${each.tag.offset}`, each]));
  return [...places.values()];
}

/** Suggests a name: `''` if none is near, undefined if the parameter exists. */
function suggestParameterName(
  { head, way, tag }: ParamTag,
  parameters: readonly FunctionParameter[],
  source: SourceProgram,
): string | undefined {
  const named = parameters.filter(({ isNamed }) => isNamed);
  const known = named.find(({ name }) => name === head);
  if (known === undefined)
    return (
      suggestNearest(
        head,
        named.map(({ name }) => name),
      ) ?? ''
    );
  // JSDoc that TypeScript does not read in JavaScript is reported elsewhere.
  if (isJavaScript(tag.file) || isContext(known.type, source)) return undefined;
  const meant = suggestMemberPath(way, known.type, source);
  return meant === undefined || meant === '' ? meant : `${head}${meant}`;
}

function splitPathSteps(way: string): string[] {
  return way.match(/\[\]|\.[^.[]*/g) ?? [];
}

/** Suggests a path: `''` if none is near, undefined if `way` is valid. */
function suggestMemberPath(way: string, type: ts.Type, { checker }: SourceProgram): string | undefined {
  let walked = '';
  let found = listObjectTypes(type, checker);
  for (const step of splitPathSteps(way)) {
    const next = found.flatMap((each) => findTypeAtStep(each, step, checker) ?? []);
    if (next.length === 0) {
      const members = found.flatMap((each) => checker.getPropertiesOfType(each).map(({ name }) => name));
      const near = step === '[]' ? undefined : suggestNearest(step.slice(1), members);
      return near === undefined ? '' : `${walked}.${near}`;
    }
    walked += step;
    found = next.flatMap((each) => listObjectTypes(each, checker));
  }
  return undefined;
}

function listObjectTypes(type: ts.Type, checker: ts.TypeChecker): ts.Type[] {
  const plain = checker.getNonNullableType(closeIfParameter(type, checker));
  return (plain.isUnion() ? plain.types : [plain]).filter(
    (each) => each.isIntersection() || (each.flags & ts.TypeFlags.Object) !== 0,
  );
}

function findTypeAtStep(type: ts.Type, step: string, checker: ts.TypeChecker): ts.Type | undefined {
  const isList = checker.isArrayLikeType(type);
  if (step === '[]')
    return checker.getIndexTypeOfType(type, isList ? ts.IndexKind.Number : ts.IndexKind.String);
  const member = isList ? undefined : type.getProperty(step.slice(1));
  return member && checker.getTypeOfSymbol(member);
}

const VAGUE: ReadonlySet<string> = new Set(['', '*', 'any', 'unknown', 'object', 'array', 'function']);

function isSameType(written: string, type: ts.Type, { checker }: SourceProgram): boolean {
  const word = normalizeType(written.replace(/^\s*(?:\.\.\.|[?!])+|=\s*$/g, ''));
  if (VAGUE.has(word)) return true;
  const words = [type, checker.getNonNullableType(type)].map((each) =>
    normalizeType(checker.typeToString(each)),
  );
  return words.includes(word) || words.includes(`${word}[]`);
}

/** Makes spellings of a type equal: `String|null` and `null | string`. */
function normalizeType(type: string): string {
  const plain = type
    .replaceAll(/\s+/g, '')
    .replace(/^\((.*)\)$/, '$1')
    .replace(/^Array<(\w+)>$/i, '$1[]');
  return plain.toLowerCase().split('|').toSorted().join('|');
}
