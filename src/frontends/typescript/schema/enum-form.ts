import { ts } from 'ts-morph';
import type { JsonSchemaObject } from '../../../../templates/runtime/contract/json-schema.ts';
import { readDocs } from '../docs/read-docs.ts';
import { type Form, type Place, type Reading, subjectOf } from './form.ts';
import { TypeTooLarge } from './limits.ts';

interface EnumMember {
  name: string;
  value: string | number | undefined;
  description: string | undefined;
}

/** Lists the members of an enum in the order of their declarations. */
export function enumForm(symbol: ts.Symbol, place: Place, reading: Reading): Form {
  const members = enumMembers(symbol, reading.checker);
  if (members.length > reading.limits.members) throw new TypeTooLarge('members');
  const values = members.map(({ value }) => value);
  if (values.some((value) => value === undefined)) {
    reading.tell('enum-not-constant', { subject: subjectOf(place) }, place.at);
    return { schema: { type: 'number' } };
  }
  const schema = valuesSchema(values.filter((value) => value !== undefined));
  const words = describeMembers(members);
  if (words !== undefined) schema.description = words;
  return { schema };
}

/** `const` for one value, else `enum`, with the type of the values. */
export function valuesSchema(values: readonly (string | number | boolean)[]): JsonSchemaObject {
  const distinct = [...new Set(values)];
  const types = [...new Set(distinct.map((value) => typeof value as 'string' | 'number' | 'boolean'))];
  const [type] = types;
  const [only] = distinct;
  const head: JsonSchemaObject = type === undefined ? {} : { type: types.length === 1 ? type : types };
  return distinct.length === 1 && only !== undefined ? { ...head, const: only } : { ...head, enum: distinct };
}

/** Lists the members of the whole enum, whose declarations may be in several places. */
function enumMembers(symbol: ts.Symbol, checker: ts.TypeChecker): EnumMember[] {
  const declarations = (symbol.declarations ?? []).filter((node) => ts.isEnumDeclaration(node));
  return declarations.flatMap(({ members }) =>
    members.map((member) => ({
      name: ts.isComputedPropertyName(member.name) ? member.name.getText() : member.name.text,
      value: checker.getConstantValue(member),
      description: readDocs(member).description,
    })),
  );
}

/** Numbers have no meaning without their names, and members may have docs. */
function describeMembers(members: readonly EnumMember[]): string | undefined {
  const telling = members.some(({ value, description }) => typeof value === 'number' || description);
  if (!telling) return undefined;
  return members
    .map(({ name, value, description }) => {
      const head = typeof value === 'number' ? `${value} = ${name}` : String(value);
      return description === undefined ? head : `${head}: ${description}`;
    })
    .join('; ');
}
