/** Reports `@param` tags without a parameter. */
import { ts } from 'ts-morph';
import { suggest } from '../../../../templates/runtime/contract/suggest.ts';
import { readDocs } from '../docs/read-docs.ts';
import { type ParamTag, paramTags } from '../docs/said-docs.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { standardType } from '../schema/open-type.ts';
import { isContext } from './arguments-object.ts';
import { saysType } from './jsdoc-type.ts';
import type { Parameter } from './parameter.ts';
import type { Tagged } from './tagged.ts';

export function checkParamTags(
  tagged: Tagged,
  parameters: readonly Parameter[],
  source: SourceProgram,
): void {
  for (const tag of ownTags(tagged, source)) {
    checkType(tag, parameters, source);
    const meant = suggestName(tag, parameters, source);
    if (meant === undefined) continue;
    const { name } = tag.named;
    const at = source.originOfTag(tag.tag);
    source.diagnostics.report('param-without-parameter', { name, meant }, { at });
  }
}

/** Reports a JSDoc type that differs from the TypeScript type, which wins. */
function checkType(
  { head, way, named, tag }: ParamTag,
  parameters: readonly Parameter[],
  source: SourceProgram,
): void {
  const parameter = parameters.find(({ name, isNamed }) => isNamed && name === head);
  const { type: given = '', name } = named;
  if (parameter === undefined || given === '' || isJavaScript(tag)) return;
  const type = typeAt(way, parameter.type, source);
  if (type === undefined || saysType(given, type, source)) return;
  const is = source.checker.typeToString(source.checker.getNonNullableType(type));
  source.diagnostics.report('jsdoc-type-unread', { name, type: given, is }, { at: source.originOfTag(tag) });
}

function typeAt(way: string, type: ts.Type, { checker }: SourceProgram): ts.Type | undefined {
  let found: ts.Type | undefined = type;
  for (const step of splitSteps(way))
    found =
      found &&
      objectsIn(found, checker)
        .map((each) => findPart(each, step, checker))
        .find((part) => part !== undefined);
  return found;
}

/** Lists the tags of the function and of the constant that holds it. */
function ownTags({ block, signature: { declaration } }: Tagged, { userFiles }: SourceProgram): ParamTag[] {
  const isOwn = declaration !== undefined && userFiles.includes(declaration.getSourceFile());
  const all = [...(isOwn ? paramTags(readDocs(declaration)) : []), ...paramTags(block)];
  const places = new Map(all.map((each) => [`${each.tag.file.fileName} ${each.tag.offset}`, each]));
  return [...places.values()];
}

/** Suggests a name for an unknown `@param`: `''` if none is near, undefined if the parameter exists. */
function suggestName(
  { head, way, tag }: ParamTag,
  parameters: readonly Parameter[],
  source: SourceProgram,
): string | undefined {
  const named = parameters.filter(({ isNamed }) => isNamed);
  const known = named.find(({ name }) => name === head);
  if (known === undefined)
    return (
      suggest(
        head,
        named.map(({ name }) => name),
      ) ?? ''
    );
  // JSDoc that TypeScript does not read in JavaScript is reported elsewhere.
  if (isJavaScript(tag) || isContext(known.type, source)) return undefined;
  const meant = suggestPath(way, known.type, source);
  return meant === undefined || meant === '' ? meant : `${head}${meant}`;
}

function isJavaScript({ file }: ParamTag['tag']): boolean {
  return /\.[cm]?jsx?$/.test(file.fileName);
}

function splitSteps(way: string): string[] {
  return way.match(/\[\]|\.[^.[]*/g) ?? [];
}

/** Suggests a path: `''` if none is near, undefined if `way` is valid. */
function suggestPath(way: string, type: ts.Type, { checker }: SourceProgram): string | undefined {
  let walked = '';
  let found = objectsIn(type, checker);
  for (const step of splitSteps(way)) {
    const next = found.flatMap((each) => findPart(each, step, checker) ?? []);
    if (next.length === 0) {
      const members = found.flatMap((each) => checker.getPropertiesOfType(each).map(({ name }) => name));
      const near = step === '[]' ? undefined : suggest(step.slice(1), members);
      return near === undefined ? '' : `${walked}.${near}`;
    }
    walked += step;
    found = next.flatMap((each) => objectsIn(each, checker));
  }
  return undefined;
}

function objectsIn(type: ts.Type, checker: ts.TypeChecker): ts.Type[] {
  const plain = checker.getNonNullableType(standardType(type, checker));
  return (plain.isUnion() ? plain.types : [plain]).filter(
    (each) => each.isIntersection() || (each.flags & ts.TypeFlags.Object) !== 0,
  );
}

/** Returns the items of a list, or the member of an object. */
function findPart(type: ts.Type, step: string, checker: ts.TypeChecker): ts.Type | undefined {
  const isList = checker.isArrayLikeType(type);
  if (step === '[]')
    return checker.getIndexTypeOfType(type, isList ? ts.IndexKind.Number : ts.IndexKind.String);
  const member = isList ? undefined : type.getProperty(step.slice(1));
  return member && checker.getTypeOfSymbol(member);
}
