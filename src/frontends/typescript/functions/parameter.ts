import { ts } from 'ts-morph';
import { suggest } from '../../../../templates/runtime/contract/suggest.ts';
import { type Docs, readDocs } from '../docs/read-docs.ts';
import { type ParamTag, paramTags, type Said, saidBy, withSaid } from '../docs/said-docs.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { type Declared, initializerOf, isPattern } from './declared-parameter.ts';
import { type SignatureParameter, signatureParameters } from './signature-parameters.ts';
import type { Tagged } from './tagged.ts';
import { writtenParameters } from './written-parameters.ts';

export interface Parameter extends SignatureParameter {
  /** False for a destructured parameter without `@param`. */
  isNamed: boolean;
  at: ts.Node;
  isLibrary: boolean;
  written: Declared | undefined;
  docs: Docs;
  /** The function's docs for members of the argument. */
  said: Said;
}

export function parametersOf(tagged: Tagged, { checker, userFiles }: SourceProgram): Parameter[] {
  const parameters = signatureParameters(tagged.signature, checker);
  const headOf = matchHeads(parameters, tagged);
  const written = writtenParameters(tagged);
  return parameters.map((parameter, index) => {
    const { declaration } = parameter;
    const head = headOf(parameter);
    const isOwn = declaration !== undefined && userFiles.includes(declaration.getSourceFile());
    const tags = listParamTags(declaration, tagged).filter((tag) => tag.head === head);
    const said = saidBy(initializerOf(declaration) === undefined ? tags : tags.map(withoutPreset));
    const own = declaration === undefined ? { tags: [] } : readDocs(declaration);
    return {
      ...parameter,
      name: head ?? parameter.name,
      isNamed: head !== undefined,
      at: isOwn ? declaration : tagged.at,
      isLibrary: tagged.isLibrary,
      written: written[index] ?? declaration,
      docs: withSaid(own, said.get('')),
      said,
    };
  });
}

/** The tagged block may stand before a constant that wraps the function. */
function listParamTags(declaration: Declared | undefined, { block }: Tagged): ParamTag[] {
  const isWrapped = declaration !== undefined && ts.isParameter(declaration);
  return [...(isWrapped ? paramTags(readDocs(declaration.parent)) : []), ...paramTags(block)];
}

/**
 * Finds the name that `@param` uses for each parameter. A destructured parameter has no name: it takes the name at
 * its position if all parameters are documented, as in TypeScript, else the remaining one. A name that looks like a
 * misspelt parameter is not taken.
 */
function matchHeads(
  parameters: readonly SignatureParameter[],
  tagged: Tagged,
): (parameter: SignatureParameter) => string | undefined {
  const names = parameters.filter((each) => !isUnnamed(each)).map(({ name }) => name);
  const patterns = parameters.filter(isUnnamed);
  return (parameter) => {
    if (!isUnnamed(parameter)) return parameter.name;
    const heads = [...new Set(listParamTags(parameter.declaration, tagged).map(({ head }) => head))];
    const unsaid = names.filter((name) => !heads.includes(name));
    const left = heads.filter((head) => !names.includes(head) && suggest(head, unsaid) === undefined);
    const inPlace = heads.length === parameters.length ? heads[parameters.indexOf(parameter)] : undefined;
    const isFree = inPlace !== undefined && left.includes(inPlace);
    return isFree ? inPlace : left[patterns.indexOf(parameter)];
  };
}

export function isUnnamed({ declaration }: SignatureParameter): boolean {
  return declaration !== undefined && isPattern(declaration);
}

/** The code's own default wins. */
function withoutPreset(tag: ParamTag): ParamTag {
  if (tag.way !== '') return tag;
  const { name, docs } = tag.named;
  return { ...tag, named: { name, docs } };
}
