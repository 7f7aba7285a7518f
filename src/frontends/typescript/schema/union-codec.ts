import { ts } from 'ts-morph';

import type {
  CodecBranch,
  JsonSchemaObject,
  JsonType,
  UnionCodec,
} from '../../../../templates/runtime/contract/json-schema.ts';
import { omitUndefined } from '../../../util/collections.ts';
import { unionMembers, valueOfLiteralType } from '../program/checker-queries.ts';
import type { Form, NotedUnion, Reading } from './form.ts';
import { libraryType } from './library-types.ts';
import { hasDefault, isBrand, isPublicMember, isSymbolName, isUndefined, mayBeAbsent } from './member.ts';
import { makeEnumSchema } from './primitive-form.ts';
import { sortByDeclaration } from './type-order.ts';

export interface Branch {
  type: ts.Type;
  form: Form;
  types: ReadonlySet<JsonType>;
}

export interface Parts {
  literals: (string | number | boolean)[];
  branches: Branch[];
  hasNull: boolean;
  isOptional: boolean;
}

export function isObjectBranch({ types }: Branch): boolean {
  return types.size === 1 && types.has('object');
}

export function makeUnionCodec(
  { branches, literals }: Parts,
  discriminator: UnionTag | undefined,
  reading: Reading,
): UnionCodec {
  const union: NotedUnion = { alternatives: [], definitions: {} };
  const objects = branches.filter(isObjectBranch);
  const accepts = (schema: JsonSchemaObject): JsonSchemaObject => {
    const copy = {};
    union.alternatives.push({ schema, copy });
    return copy;
  };
  const tests = branches.map((branch): CodecBranch => {
    const { type, form, types } = branch;
    const { schema, codec } = form;
    const tag = discriminator && makeTag(discriminator, objects.indexOf(branch));
    const required = isObjectBranch(branch) ? listRequired(type, reading) : undefined;
    return {
      ...(types.size === 0 ? {} : { types: [...types] }),
      ...(required && { required, without: hiddenByOthers(branch, objects, reading) }),
      accepts: accepts(schema),
      ...omitUndefined({ tag, codec }),
    };
  });
  reading.unions.push(union);
  return {
    kind: 'union',
    branches: [...makeLiteralBranch(literals, accepts), ...tests],
    schemas: union.definitions,
  };
}

function makeTag({ name, values }: UnionTag, at: number): CodecBranch['tag'] | undefined {
  const branchValues = values[at];
  return branchValues === undefined ? undefined : { name, values: branchValues };
}

/** Members hidden by other alternatives are hidden here too, unless this type has them. */
function hiddenByOthers({ type }: Branch, objects: readonly Branch[], reading: Reading): string[] {
  const names: string[] = [];
  reading.postponedWork.push(() => {
    const all = new Set(objects.flatMap((object) => listHiddenMembers(object.type, reading)));
    names.push(...[...all].filter((name) => unionMembers(type).every((part) => !part.getProperty(name))));
  });
  return names;
}

function listHiddenMembers(type: ts.Type, { inside }: Reading): readonly string[] {
  return unionMembers(type).flatMap((part) => inside.get(part) ?? []);
}

function makeLiteralBranch(
  literals: readonly (string | number | boolean)[],
  accepts: (schema: JsonSchemaObject) => JsonSchemaObject,
): CodecBranch[] {
  if (literals.length === 0) return [];
  const types = [...new Set(literals.map((value) => typeof value as JsonType))];
  return [{ types, accepts: accepts(makeEnumSchema(literals)) }];
}

/** Members of a Map's class are not in its JSON form. */
function listRequired(type: ts.Type, reading: Reading): string[] {
  if (libraryType(type, reading.program)?.as === 'map') return [];
  return reading.checker
    .getPropertiesOfType(type)
    .filter((member) => !(member.flags & ts.SymbolFlags.Method) && !isBrand(member, type))
    .filter((member) => isPublicMember(member) && !isSymbolName(member.name))
    .filter((member) => !mayBeAbsent(member, reading.checker) && !hasDefault(member, reading))
    .map(({ name }) => name);
}

type TagValue = string | number | boolean | null;

/** A member that tells the objects of a union apart. */
export interface UnionTag {
  name: string;
  values: TagValue[][];
  optional: boolean[];
}

/** Finds the member whose literal values tell the objects apart, preferably one that all objects require. */
export function findDiscriminator(
  objects: readonly ts.Type[],
  { checker }: Pick<Reading, 'checker'>,
): UnionTag | undefined {
  const [first] = objects;
  if (first === undefined || objects.length < 2) return undefined;
  const tags: UnionTag[] = [];
  for (const member of checker.getPropertiesOfType(first)) {
    if (isBrand(member, first)) continue;
    const { name } = member;
    const values = objects.map((object) => listTagValues(object, name, checker));
    const definedValues = values.filter((value) => value !== undefined);
    if (
      definedValues.length < values.length ||
      new Set(definedValues.flat()).size !== definedValues.flat().length
    )
      continue;
    tags.push({
      name,
      values: definedValues,
      optional: objects.map((object) => isOptional(object, name, checker)),
    });
  }
  return tags.find(isRequired) ?? tags[0];
}

/** Whether all objects require the member. Without it an object could not be told apart. */
export function isRequired({ optional }: UnionTag): boolean {
  return !optional.includes(true);
}

function isOptional(object: ts.Type, name: string, checker: ts.TypeChecker): boolean {
  const member = checker.getPropertyOfType(object, name);
  return member !== undefined && mayBeAbsent(member, checker);
}

function listTagValues(object: ts.Type, name: string, checker: ts.TypeChecker): TagValue[] | undefined {
  const member = checker.getPropertyOfType(object, name);
  if (member === undefined) return undefined;
  const type = checker.getTypeOfSymbol(member);
  const types = (type.isUnion() ? sortByDeclaration(type.types, checker) : [type]).filter(
    (part) => !isUndefined(part),
  );
  const values = types.map((type) => getTagValue(type, checker));
  const definedValues = values.filter((value) => value !== undefined);
  return definedValues.length === values.length ? definedValues : undefined;
}

function getTagValue(type: ts.Type, checker: ts.TypeChecker): TagValue | undefined {
  if (type.flags & ts.TypeFlags.Null) return null;
  return type.flags & ts.TypeFlags.BooleanLiteral
    ? checker.typeToString(type) === 'true'
    : valueOfLiteralType(type);
}
