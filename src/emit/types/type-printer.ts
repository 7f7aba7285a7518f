/**
 * Prints the types of arguments for handlers; a schema that arguments share is printed once. Where TypeScript cannot express a
 * schema, the type accepts more.
 */
import { ownMember } from '../../../templates/runtime/json-rpc.ts';
import {
  type Json,
  type JsonSchema,
  type JsonSchemaObject,
  type JsonType,
  allowsNothing,
} from '../../util/json-schema.ts';
import { definitionNameOf } from '../../model/schema-walk.ts';
import { printPropertyKey, quoteString } from '../print-literals.ts';

/** Schemas that are nested, or refer to each other, more deeply than this are printed as `unknown`. */
const MOST_DEPTH = 50;

export interface PrintedType {
  /** The name that types of the tools refer to it by. */
  name: string;
  /** The type, as TypeScript. */
  type: string;
}

interface Place {
  indent: string;
  definitions: Record<string, JsonSchema>;
  /** Inside of an object TypeScript looks later, so a type may lead back to itself there. */
  isInside: boolean;
}

interface Definition extends PrintedType {
  schema: JsonSchema;
  definitions: Record<string, JsonSchema>;
  state: 'waiting' | 'open' | 'done';
}

export class TypePrinter {
  readonly #definitions = new Map<string, Definition>();
  #depth = 0;

  printArgumentsType(schema: JsonSchemaObject): string {
    return this.#printObject(schema, { indent: '  ', definitions: schema.$defs ?? {}, isInside: true });
  }

  /** Prints the body of an answer, by the output schema of its tool. */
  printBodyType({ $defs: definitions = {}, ...schema }: JsonSchemaObject, isWrapped: boolean): string {
    const body = isWrapped ? (schema.properties?.['result'] ?? true) : schema;
    return this.#printType(body, { indent: '      ', definitions, isInside: true }).text;
  }

  printSchemaTypes(): PrintedType[] {
    // The loop also visits definitions that printing one adds.
    for (const definition of this.#definitions.values()) this.#printDefinition(definition);
    return [...this.#definitions.values()];
  }

  #printDefinition(definition: Definition): void {
    if (definition.state === 'done') return;
    definition.state = 'open';
    const { schema, definitions } = definition;
    definition.type = this.#printType(schema, { indent: '  ', definitions, isInside: false }).text;
    definition.state = 'done';
  }

  #printType(schema: JsonSchema, place: Place): TypeText {
    if (allowsNothing(schema)) return never;
    if (typeof schema === 'boolean' || this.#depth === MOST_DEPTH) return unknown;
    const { enum: values, const: constant, $ref, allOf, oneOf, anyOf } = schema;
    const literals = values ?? (constant === undefined ? undefined : [constant]);
    this.#depth += 1;
    const isComposed =
      $ref !== undefined || allOf !== undefined || oneOf !== undefined || anyOf !== undefined;
    const type =
      (literals && makeLiteralUnion(literals, place.indent)) ??
      (isComposed ? this.#printComposed(schema, place) : this.#printByKeywords(schema, place));
    this.#depth -= 1;
    return type;
  }

  #printComposed(schema: JsonSchemaObject, place: Place): TypeText {
    const { $ref, allOf = [], oneOf, anyOf, properties } = schema;
    const parts = allOf.map((each) => this.#printType(each, place));
    if ($ref !== undefined) parts.push(this.#printReference($ref, place));
    if (oneOf !== undefined) parts.push(this.#printUnion(oneOf, place));
    if (anyOf !== undefined) parts.push(this.#printUnion(anyOf, place));
    const beside = makeIntersection(parts);
    // Beside other types, the bare type adds nothing.
    if (beside !== unknown && properties === undefined) return beside;
    return makeIntersection([this.#printByKeywords(schema, place), beside]);
  }

  #printUnion(branches: readonly JsonSchema[], place: Place): TypeText {
    const types = branches.map((branch) => this.#printType(branch, place));
    return makeUnion(types, place.indent);
  }

  #printReference($ref: string, place: Place): TypeText {
    const name = definitionNameOf($ref);
    const { definitions } = place;
    const schema = name !== undefined && Object.hasOwn(definitions, name) ? definitions[name] : undefined;
    if (name === undefined || schema === undefined) return unknown;
    const definition = this.#findDefinition(name, schema, definitions);
    if (!place.isInside) {
      // TypeScript refuses a type alias that contains itself.
      if (definition.state === 'open') return unknown;
      this.#printDefinition(definition);
    }
    return singleType(`Schemas[${quoteString(definition.name)}]`);
  }

  /** Finds the definition of a schema, or adds it, with a number in its name if another schema has that name. */
  #findDefinition(wish: string, schema: JsonSchema, definitions: Record<string, JsonSchema>): Definition {
    for (let name = wish, number = 2; ; name = `${wish}_${number}`, number += 1) {
      const definition = this.#definitions.get(name);
      if (definition?.schema === schema) return definition;
      if (definition !== undefined) continue;
      const fresh: Definition = { name, schema, definitions, type: 'unknown', state: 'waiting' };
      this.#definitions.set(name, fresh);
      return fresh;
    }
  }

  /** Prints a schema by its `type`; without one, members say that it is an object. */
  #printByKeywords(schema: JsonSchemaObject, place: Place): TypeText {
    const { type = schema.properties === undefined ? [] : 'object' } = schema;
    if (typeof type === 'string') return this.#printByType(type, schema, place);
    const types = type.map((typeName) => this.#printByType(typeName, schema, place));
    return makeUnion(types, place.indent);
  }

  #printByType(type: JsonType, schema: JsonSchemaObject, place: Place): TypeText {
    if (type === 'object') return singleType(this.#printObject(schema, place));
    if (type !== 'array') return SCALARS[type];
    return singleType(
      `${parenthesizeType(schema.prefixItems === undefined ? this.#printType(schema.items ?? true, place) : unknown)}[]`,
    );
  }

  #printObject(schema: JsonSchemaObject, { indent, definitions }: Place): string {
    const { properties = {}, required = [], additionalProperties: mapSchema } = schema;
    const inside = { indent: `${indent}  `, definitions, isInside: true };
    const names = Object.keys(properties);
    if (names.length === 0) return this.#printMap(schema, inside);
    const lines = names.map((name) => {
      const mark = required.includes(name) ? '' : '?';
      const { text } = this.#printType(ownMember(properties, name) ?? true, inside);
      return `${inside.indent}${printPropertyKey(name)}${mark}: ${text};\n`;
    });
    if (typeof mapSchema === 'object') lines.push(`${inside.indent}[name: string]: unknown;\n`);
    return `{\n${lines.join('')}${indent}}`;
  }

  #printMap(
    { additionalProperties: mapSchema = true, patternProperties }: JsonSchemaObject,
    inside: Place,
  ): string {
    if (patternProperties !== undefined || mapSchema === true) return 'Record<string, unknown>';
    if (mapSchema === false) return 'Record<string, never>';
    const { text } = this.#printType(mapSchema, inside);
    // No `Record`, into which TypeScript looks at once.
    return text === 'unknown' ? 'Record<string, unknown>' : `{ [name: string]: ${text} }`;
  }
}

const NUMBER = singleType('number');

const SCALARS: Record<Exclude<JsonType, 'array' | 'object'>, TypeText> = {
  null: singleType('null'),
  boolean: singleType('boolean'),
  integer: NUMBER,
  number: NUMBER,
  string: singleType('string'),
};

interface TypeText {
  text: string;
  /** Whether it is neither a union nor an intersection, so that it needs no parentheses. */
  isOne: boolean;
}

const unknown = singleType('unknown');
const never = singleType('never');

/** Columns of a union on one line; each member of a wider one has a line of its own. */
const ROOM = 90;

function singleType(text: string): TypeText {
  return { text, isOne: true };
}

/** Joins types to a union, or to `unknown` if one of them is `unknown`. */
function makeUnion(given: readonly TypeText[], indent: string): TypeText {
  const types = given.filter((type) => type !== never);
  const [first = given[0] ?? unknown] = types;
  if (types.length < 2) return first;
  const texts = [
    ...new Set(types.map(({ text, isOne }) => (isOne || !text.includes('&') ? text : `(${text})`))),
  ];
  if (texts.includes('unknown')) return unknown;
  return joinUnionTypes(texts, indent);
}

function joinUnionTypes(texts: readonly string[], indent: string): TypeText {
  const line = texts.join(' | ');
  const isWide = line.length > ROOM && !line.includes('\n');
  return { text: isWide ? texts.join(`\n${indent}  | `) : line, isOne: texts.length === 1 };
}

function makeIntersection(types: readonly TypeText[]): TypeText {
  const telling = types.filter((type) => type.text !== 'unknown');
  if (telling.length < 2) return telling[0] ?? unknown;
  const texts = [...new Set(telling.map(parenthesizeType))];
  return { text: texts.join(' & '), isOne: texts.length === 1 };
}

function makeLiteralUnion(values: readonly Json[], indent: string): TypeText | undefined {
  const texts: string[] = [];
  for (const value of values) {
    if (typeof value === 'object' && value !== null) return undefined;
    texts.push(typeof value === 'string' ? quoteString(value) : String(value));
  }
  return texts.length === 0 ? undefined : joinUnionTypes(texts, indent);
}

function parenthesizeType({ text, isOne }: TypeText): string {
  return isOne ? text : `(${text})`;
}
