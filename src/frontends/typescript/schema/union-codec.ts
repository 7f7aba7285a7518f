/** The codec of a union has a test for each alternative, and how to revive and write it. */
import { ts } from 'ts-morph';
import type { CodecBranch, UnionCodec } from '../../../../templates/runtime/contract/codec.ts';
import type { JsonSchemaObject, JsonType } from '../../../../templates/runtime/contract/json-schema.ts';
import { mayBeAbsent } from './absence.ts';
import { isBrand, isSymbolName } from './brand.ts';
import type { Discriminator } from './discriminator.ts';
import { valuesSchema } from './enum-form.ts';
import type { Form, NotedAlternative, NotedUnion, Place, Reading } from './form.ts';
import { libraryType } from './library-types.ts';
import { hasDefault, isShown } from './member.ts';
import { definedMembers } from '../../../util/defined-members.ts';

/** An alternative with more than one value. */
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

export function unionCodec(
  { branches, literals }: Parts,
  discriminator: Discriminator | undefined,
  place: Place,
  reading: Reading,
): UnionCodec {
  const union: NotedUnion = { place, alternatives: [], definitions: {} };
  const objects = branches.filter(isObjectBranch);
  const accepts = (alternative: Omit<NotedAlternative, 'copy'>): JsonSchemaObject => {
    const copy = {};
    union.alternatives.push({ ...alternative, copy });
    return copy;
  };
  const tests = branches.map((branch): CodecBranch => {
    const { type, form, types } = branch;
    const { schema, codec } = form;
    const tag = discriminator && makeTag(discriminator, objects.indexOf(branch));
    const required = isObjectBranch(branch) ? listRequired(type, reading) : undefined;
    const name = (): string => reading.checker.typeToString(type);
    return {
      ...(types.size === 0 ? {} : { types: [...types] }),
      ...(required && { required, without: othersInside(branch, objects, reading) }),
      accepts: accepts({ name, schema, codec, required: required?.length ?? 0 }),
      ...definedMembers({ tag, codec }),
    };
  });
  reading.noteUnion(union);
  return {
    kind: 'union',
    branches: [...literalBranch(literals, accepts), ...tests],
    schemas: union.definitions,
  };
}

function makeTag({ name, values }: Discriminator, at: number): CodecBranch['tag'] | undefined {
  const own = values[at];
  return own === undefined ? undefined : { name, values: own };
}

/** Members hidden by other alternatives are hidden here too, unless this type has them. */
function othersInside({ type }: Branch, objects: readonly Branch[], reading: Reading): string[] {
  const names: string[] = [];
  reading.later(() => {
    const all = new Set(objects.flatMap((each) => listInside(each.type, reading)));
    names.push(...[...all].filter((name) => listAlternatives(type).every((part) => !part.getProperty(name))));
  });
  return names;
}

function listInside(type: ts.Type, { inside }: Reading): readonly string[] {
  return listAlternatives(type).flatMap((part) => inside.get(part) ?? []);
}

function listAlternatives(type: ts.Type): readonly ts.Type[] {
  return type.isUnion() ? type.types : [type];
}

function literalBranch(
  literals: readonly (string | number | boolean)[],
  accepts: (alternative: Omit<NotedAlternative, 'copy'>) => JsonSchemaObject,
): CodecBranch[] {
  if (literals.length === 0) return [];
  const name = (): string => literals.map((value) => JSON.stringify(value)).join(' | ');
  const types = [...new Set(literals.map((value) => typeof value as JsonType))];
  return [{ types, accepts: accepts({ name, schema: valuesSchema(literals), required: 0 }) }];
}

/** Members of a Map's class are not in its JSON form. */
function listRequired(type: ts.Type, reading: Reading): string[] {
  if (libraryType(type, reading.program)?.as === 'map') return [];
  return reading.checker
    .getPropertiesOfType(type)
    .filter((member) => !(member.flags & ts.SymbolFlags.Method) && !isBrand(member, type))
    .filter((member) => isShown(member) && !isSymbolName(member.name))
    .filter((member) => !mayBeAbsent(member, reading.checker) && !hasDefault(member, reading))
    .map(({ name }) => name);
}
