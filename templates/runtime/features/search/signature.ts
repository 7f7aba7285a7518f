// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Writes the arguments of a tool as a short type, in the manner of TypeScript, within a number of characters. */
import { isRecord } from '../../json-rpc.ts';
import type { Schema, SchemaObject, ToolInfo } from '../../types.ts';
import { resolveReference } from '../../validate.ts';

/** From much to little, until the text fits. */
const DETAILS = [
  { depth: 3, words: 160, values: 20 },
  { depth: 2, words: 90, values: 12 },
  { depth: 1, words: 60, values: 8 },
  { depth: 0, words: 40, values: 5 },
  { depth: 0, words: 0, values: 3 },
];
/** Where one part is asked for, its values are what is wanted. */
const PART_DETAILS = [
  { depth: 3, words: 160, values: 1000 },
  { depth: 3, words: 160, values: 100 },
  ...DETAILS,
];
const MAX_ALTERNATIVES = 6;
/** The characters that the shortest type takes. */
const LEAST = 6;
const HINT = 'describe_tool shows more of {…} by `path`';

/** `listPets(arguments: {…})` */
export function printSignature({ name, inputSchema }: ToolInfo, maxLength: number): string {
  return fit(inputSchema, maxLength, (printer) => {
    const text = `${name}(arguments: ${printer.block(inputSchema, maxLength - name.length - HINT.length - 100)})`;
    return text.includes('{…}') ? `${text}\n// ${HINT}` : text;
  });
}

/** The part of the arguments at a path. */
export function printArgumentPart(schema: Schema, root: SchemaObject, maxLength: number): string {
  const print = (printer: Printer): string => printer.block(schema, maxLength - 100) + printer.note(schema);
  return fit(root, maxLength, print, PART_DETAILS);
}

/** The answer on one line; undefined if nothing is known of it. */
export function printAnswer({ outputSchema }: ToolInfo, maxLength: number): string | undefined {
  if (outputSchema === undefined) return undefined;
  const properties = { ...outputSchema.properties };
  delete properties['_response'];
  return fit(outputSchema, maxLength, (printer) => printer.type({ ...outputSchema, properties }));
}

function fit(
  root: SchemaObject,
  maxLength: number,
  print: (printer: Printer) => string,
  details = DETAILS,
): string {
  let text = '';
  for (const detail of details) {
    const printer = new Printer(root, detail, maxLength);
    text = print(printer);
    if (text.length <= maxLength && printer.left >= 0) return text;
  }
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`;
}

interface Members {
  properties: Map<string, Schema>;
  required: ReadonlySet<string>;
}

class Printer {
  readonly #root: SchemaObject;
  readonly #detail: (typeof DETAILS)[number];
  /** Below 0 nothing more is printed: a schema may contain itself, and the text is thrown away. */
  left: number;

  constructor(root: SchemaObject, detail: (typeof DETAILS)[number], left: number) {
    this.#root = root;
    this.#detail = detail;
    this.left = left;
  }

  /** A line for each member of an object, the required ones first. */
  block(given: Schema, room: number): string {
    const schema = this.#resolve(given);
    const { properties, required } = this.#membersOf(schema);
    if (properties.size === 0 && given !== this.#root) return this.type(given, this.#detail.depth + 1);
    const names = [...properties.keys()].toSorted(
      (one, other) => Number(required.has(other)) - Number(required.has(one)),
    );
    const lines: string[] = [];
    let length = 0;
    for (const [at, name] of names.entries()) {
      const property = properties.get(name) ?? true;
      const line = `  ${printKey(name, required)}: ${this.type(property)};${this.note(property)}`;
      length += line.length + 1;
      // Less detail is tried before members are left out.
      if (length > room && this.#detail.words === 0) {
        lines.push(`  // and ${names.length - at} more`);
        break;
      }
      lines.push(line);
    }
    lines.push(...this.#others(schema, this.#detail.depth).map((other) => `  ${other};`));
    const shape = lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n}`;
    return join([shape, ...this.#alternatives(schema, this.#detail.depth)]);
  }

  type(given: Schema, depth = this.#detail.depth): string {
    this.left -= LEAST;
    if (this.left < 0) return '…';
    if (typeof given === 'boolean') return given ? 'any' : 'never';
    const schema = this.#resolve(given);
    if ('const' in schema) return JSON.stringify(schema['const']);
    if (Array.isArray(schema['enum']))
      return union(
        schema['enum'].map((value) => JSON.stringify(value)),
        this.#detail.values,
      );
    const members = this.#membersOf(schema);
    const guess = members.properties.size > 0 || this.#others(schema, depth).length > 0 ? 'object' : 'any';
    const isList = schema.items !== undefined || schema['prefixItems'] !== undefined;
    const types = [schema.type ?? (isList ? 'array' : guess)].flat().map((type) => {
      if (type === 'array') return this.#list(schema, depth);
      return type === 'object' ? this.#object(schema, members, depth) : type;
    });
    const parts = members.properties.size > 0 ? [] : ((schema['allOf'] ?? []) as Schema[]);
    const printed = parts.map((part) => this.type(part, depth));
    const alternatives =
      parts.length > 0
        ? this.#alternatives({ ...schema, allOf: [] }, depth)
        : this.#alternatives(schema, depth);
    return join([union(types, MAX_ALTERNATIVES), ...alternatives, ...printed]);
  }

  /** What the type does not say: the description, format, default and bounds. */
  note(given: Schema): string {
    const { words } = this.#detail;
    if (words === 0) return '';
    const schema = this.#resolve(given);
    const { description = '', format, default: value, minimum, maximum, maxLength, pattern } = schema;
    const facts = [
      shortenTo(String(description).replace(/\s+/g, ' ').trim(), words),
      format,
      value === undefined ? undefined : `default ${shortenTo(JSON.stringify(value), 40)}`,
      minimum === undefined ? undefined : `from ${String(minimum)}`,
      maximum === undefined ? undefined : `to ${String(maximum)}`,
      maxLength === undefined ? undefined : `${String(maxLength)} characters at most`,
      pattern === undefined ? undefined : `/${shortenTo(String(pattern), 40)}/`,
    ].filter((fact) => fact !== undefined && fact !== '');
    return facts.length === 0 ? '' : ` // ${facts.join('; ')}`;
  }

  #resolve(given: Schema): SchemaObject {
    let schema: SchemaObject = typeof given === 'boolean' ? {} : given;
    while (typeof schema['$ref'] === 'string' && --this.left > 0) {
      const { $ref, ...beside } = schema;
      const target = resolveReference(this.#root, $ref as string);
      schema = { ...(isRecord(target) && target), ...beside };
    }
    return schema;
  }

  /** Also those that `allOf` adds. */
  #membersOf(schema: SchemaObject): Members {
    const properties = new Map(Object.entries(schema.properties ?? {}));
    const required = new Set(schema.required);
    for (const part of (schema['allOf'] ?? []) as Schema[]) {
      if (--this.left < 0) break;
      const added = this.#membersOf(this.#resolve(part));
      for (const [name, member] of added.properties) if (!properties.has(name)) properties.set(name, member);
      for (const name of added.required) required.add(name);
    }
    return { properties, required };
  }

  /** Lists of alternatives, of each of which one holds, also those of `allOf`. */
  #alternatives({ oneOf, anyOf, allOf = [] }: SchemaObject, depth: number): string[] {
    const lists = [oneOf, anyOf].filter((list) => Array.isArray(list)) as Schema[][];
    const types = lists.map((list) => list.map((schema) => this.type(schema, depth)));
    const ofParts = (allOf as Schema[]).flatMap((part) =>
      --this.left < 0 ? [] : this.#alternatives(this.#resolve(part), depth),
    );
    return [...types.map((list) => union(list, MAX_ALTERNATIVES)), ...ofParts];
  }

  #list({ items = true, prefixItems }: SchemaObject, depth: number): string {
    if (!Array.isArray(prefixItems)) return printArray(this.type(items, depth));
    const types = (prefixItems as Schema[]).map((item) => this.type(item, depth - 1));
    if (isRecord(items)) types.push(`...${printArray(this.type(items as SchemaObject, depth - 1))}`);
    return `[${types.join(', ')}]`;
  }

  #object(schema: SchemaObject, { properties, required }: Members, depth: number): string {
    const others = this.#others(schema, depth);
    if (properties.size === 0) return others.length > 0 ? `{ ${others.join('; ')} }` : 'object';
    if (depth <= 0) return '{…}';
    const members = [...properties].map(
      ([name, property]) => `${printKey(name, required)}: ${this.type(property, depth - 1)}`,
    );
    return `{ ${[...members, ...others].join('; ')} }`;
  }

  /** The members whose names the schema does not list. */
  #others(schema: SchemaObject, depth: number): string[] {
    const patterns = Object.entries((schema['patternProperties'] ?? {}) as Record<string, Schema>);
    const named = patterns.map(([pattern, part]) => [`/${shortenTo(pattern, 40)}/`, part] as const);
    const { additionalProperties: rest } = schema;
    const all = isRecord(rest) ? [...named, ['key', rest as SchemaObject] as const] : named;
    return all.map(([key, part]) => `[${key}]: ${this.type(part, depth - 1)}`);
  }
}

function printKey(name: string, required: ReadonlySet<string>): string {
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
  return required.has(name) ? key : `${key}?`;
}

const isUnion = (type: string): boolean => / [|&] /.test(type);
const printArray = (type: string): string => (isUnion(type) ? `(${type})[]` : `${type}[]`);

function union(types: readonly string[], maxCount: number): string {
  const all = [...new Set(types)];
  const rest = all.length - maxCount;
  return rest > 0 ? `${all.slice(0, maxCount).join(' | ')} | … /* ${rest} more */` : all.join(' | ');
}

/** `any` and `object` say nothing beside another type. */
function join(types: readonly string[]): string {
  const telling = [...new Set(types)].filter((type) => !['any', 'object', '{}'].includes(type));
  if (telling.length < 2) return telling[0] ?? types[0] ?? 'any';
  return telling.map((type) => (isUnion(type) ? `(${type})` : type)).join(' & ');
}

export function shortenTo(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const cut = text.slice(0, maxLength);
  const end = cut.lastIndexOf(' ');
  return `${end > maxLength / 2 ? cut.slice(0, end) : cut.replace(/[\uD800-\uDBFF]$/, '')}…`;
}
