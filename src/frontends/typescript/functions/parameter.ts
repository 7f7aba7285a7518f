import { ts } from 'ts-morph';

import { nearest } from '../../../../templates/runtime/validate.ts';
import {
  type Docs,
  type ParamTag,
  type ParamDocs,
  parseParamTags,
  findDocs,
  collectParamDocs,
  findSymbolDocs,
  mergeDocs,
} from '../docs/read-docs.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { closeIfParameter } from '../schema/open-type.ts';
import { findDeclaringSymbol } from '../schema/type-name.ts';
import { listAliasDocs } from '../schema/written-types.ts';
import { findTag } from '../tags/tag-values.ts';
import {
  type Declared,
  type SignatureParameter,
  isPattern,
  signatureParameters,
} from './signature-parameters.ts';
import type { Tagged } from './tagged.ts';
import { isContext } from './type-kinds.ts';

export interface FunctionParameter extends SignatureParameter {
  /** Whether it has a name: a destructured parameter without `@param` has none. */
  isNamed: boolean;
  at: ts.Node;
  isLibrary: boolean;
  docs: Docs;
  /** The function's docs for members of the argument. */
  partDocs: ParamDocs;
}

export function readTaggedParameters(tagged: Tagged, source: SourceProgram): FunctionParameter[] {
  const { checker, userFiles } = source;
  const parameters = signatureParameters(tagged.signature, checker);
  const headOf = createParamNameLookup(parameters, tagged);
  const read = parameters.map((parameter) => {
    const { declaration } = parameter;
    const head = headOf(parameter);
    const isOwn = declaration !== undefined && userFiles.includes(declaration.getSourceFile());
    const tags = listParamTags(declaration, tagged).filter((tag) => tag.head === head);
    const partDocs = collectParamDocs(tags);
    const ownDocs = declaration === undefined ? { tags: [] } : findDocs(declaration);
    return {
      ...parameter,
      name: head ?? parameter.name,
      isNamed: head !== undefined,
      at: isOwn ? declaration : tagged.at,
      isLibrary: tagged.isFromLibrary,
      docs: mergeDocs(ownDocs, partDocs.get('')),
      partDocs,
    };
  });
  const [only, ...more] = read.filter(({ type }) => !isContext(type, source));
  if (only !== undefined && more.length === 0) addSchemaTagOfType(only, source);
  return read;
}

/** The members of the only parameter's type are the arguments, which its `@schema` describes. */
function addSchemaTagOfType(parameter: FunctionParameter, { checker, program }: SourceProgram): void {
  const { docs, declaration, type } = parameter;
  const written = declaration !== undefined && ts.isParameter(declaration) ? declaration.type : undefined;
  const ofParameter = checker.getNonNullableType(closeIfParameter(type, checker));
  const symbol = findDeclaringSymbol(ofParameter);
  const typeDocs = [
    ...listAliasDocs(ofParameter, written, program),
    ...(symbol ? [findSymbolDocs(symbol)] : []),
  ];
  const tag = typeDocs.map((each) => findTag(each, 'schema')).find((each) => each !== undefined);
  if (tag !== undefined && findTag(docs, 'schema') === undefined)
    parameter.docs = { ...docs, tags: [...docs.tags, tag] };
}

/** The tagged block may stand before a constant that wraps the function. */
function listParamTags(declaration: Declared | undefined, { block }: Tagged): ParamTag[] {
  const isWrapped = declaration !== undefined && ts.isParameter(declaration);
  return [...(isWrapped ? parseParamTags(findDocs(declaration.parent)) : []), ...parseParamTags(block)];
}

/** A destructured parameter has no name: it takes the next `@param` name that belongs to no other parameter. */
function createParamNameLookup(
  parameters: readonly SignatureParameter[],
  tagged: Tagged,
): (parameter: SignatureParameter) => string | undefined {
  const names = parameters.filter((parameter) => !isUnnamed(parameter)).map(({ name }) => name);
  const patterns = parameters.filter(isUnnamed);
  return (parameter) => {
    if (!isUnnamed(parameter)) return parameter.name;
    const heads = new Set(listParamTags(parameter.declaration, tagged).map(({ head }) => head));
    const undocumented = names.filter((name) => !heads.has(name));
    // A name that looks like a misspelt parameter is not taken.
    const isFree = (head: string): boolean =>
      !names.includes(head) && nearest(head, undocumented) === undefined;
    return [...heads].filter(isFree)[patterns.indexOf(parameter)];
  };
}

export function isUnnamed({ declaration }: SignatureParameter): boolean {
  return declaration !== undefined && isPattern(declaration);
}

/** Tags of the function, and of the constant that holds it. */
export function checkParamTags(
  { block, signature: { declaration } }: Tagged,
  parameters: readonly FunctionParameter[],
  { userFiles, diagnostics, originOfTag }: SourceProgram,
): void {
  const isOwn = declaration !== undefined && userFiles.includes(declaration.getSourceFile());
  const tags = mergeDocs(isOwn ? findDocs(declaration) : { tags: [] }, block);
  const names = parameters.filter(({ isNamed }) => isNamed).map((parameter) => parameter.name);
  for (const { tag, head, param } of parseParamTags(tags)) {
    if (names.includes(head)) continue;
    const suggestion = nearest(head, names) ?? '';
    diagnostics.report('param-without-parameter', { name: param.name, suggestion }, { at: originOfTag(tag) });
  }
}
