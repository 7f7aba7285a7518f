import { ts } from 'ts-morph';

import { nearest } from '../../../../templates/runtime/validate.ts';
import {
  type Docs,
  type ParamTag,
  type ParamDocs,
  parseParamTags,
  findDocs,
  collectParamDocs,
  mergeDocs,
} from '../docs/read-docs.ts';
import { repeatedTag } from '../docs/apply-tags.ts';
import type { SourceProgram } from '../program/source-program.ts';
import {
  type Declared,
  type SignatureParameter,
  isPattern,
  signatureParameters,
  listWrittenParameters,
} from './signature-parameters.ts';
import type { Tagged } from './tagged.ts';

export interface FunctionParameter extends SignatureParameter {
  /** Whether it has a name: a destructured parameter without `@param` has none. */
  isNamed: boolean;
  at: ts.Node;
  isLibrary: boolean;
  declared: Declared | undefined;
  docs: Docs;
  /** The function's docs for members of the argument. */
  partDocs: ParamDocs;
}

export function readTaggedParameters(
  tagged: Tagged,
  { checker, userFiles }: SourceProgram,
): FunctionParameter[] {
  const parameters = signatureParameters(tagged.signature, checker);
  const headOf = createParamNameLookup(parameters, tagged);
  const declaredParameters = listWrittenParameters(tagged);
  return parameters.map((parameter, index) => {
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
      declared: declaredParameters[index] ?? declaration,
      docs: mergeDocs(ownDocs, partDocs.get('')),
      partDocs,
    };
  });
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

export function checkParamTags(
  tagged: Tagged,
  parameters: readonly FunctionParameter[],
  source: SourceProgram,
): void {
  const seen = new Set<string>();
  for (const tag of listOwnParamTags(tagged, source)) {
    const { name } = tag.param;
    // The block is part of the key: a wrapped function and its constant may both have the tag.
    const key = `${tag.block} ${name}`;
    const isRepeated = seen.has(key);
    seen.add(key);
    if (isRepeated)
      source.diagnostics.report(
        'idle-tag',
        { tag: `param ${name}`, ...repeatedTag },
        { at: source.originOfTag(tag.tag) },
      );
    const names = parameters.filter(({ isNamed }) => isNamed).map((parameter) => parameter.name);
    if (names.includes(tag.head)) continue;
    const suggestion = nearest(tag.head, names) ?? '';
    const at = source.originOfTag(tag.tag);
    source.diagnostics.report('param-without-parameter', { name, suggestion }, { at });
  }
}

/** Lists the tags of the function and of the constant that holds it. */
function listOwnParamTags(
  { block, signature: { declaration } }: Tagged,
  { userFiles }: SourceProgram,
): ParamTag[] {
  const isOwn = declaration !== undefined && userFiles.includes(declaration.getSourceFile());
  const all = [...(isOwn ? parseParamTags(findDocs(declaration)) : []), ...parseParamTags(block)];
  const places = new Map(
    all.map((paramTag) => [`${paramTag.tag.file.fileName} ${paramTag.tag.offset}`, paramTag]),
  );
  return [...places.values()];
}
