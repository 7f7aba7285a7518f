// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Writes the arguments of a tool as a short type, in the manner of TypeScript, within a number of characters. */
import {
  type JsonSchema,
  type JsonSchemaObject,
  type ListedTool,
  definitionNameOf,
  escapePointerToken,
  unescapePointerToken,
} from '../contract/json-schema.ts';
import { isRecord, getOwnMember } from '../contract/json-value.ts';

interface Detail {
  depth: number;
  words: number;
  values: number;
}

const MOST_ALTERNATIVES = 6;

const DETAILS: readonly Detail[] = [
  { depth: 3, words: 160, values: 20 },
  { depth: 2, words: 90, values: 12 },
  { depth: 1, words: 60, values: 8 },
  { depth: 0, words: 40, values: 5 },
  { depth: 0, words: 0, values: 3 },
];

/** Objects without room for their types: the names of their members, then only what tells alternatives apart. */
const PART_DETAILS: readonly Detail[] = [
  ...DETAILS,
  { depth: -1, words: 0, values: 3 },
  { depth: -2, words: 0, values: 3 },
];

interface Printer extends Detail {
  root: JsonSchemaObject;
  /** References that are being printed, since a schema may contain itself. */
  open: readonly string[];
  /** The alternatives that are shown: all of the part that is asked for, since no path leads to one alone. */
  choices: number;
  /** The characters that still find room; below 0 nothing more is printed, since the text is thrown away. */
  room: { left: number };
}

const HINT = 'describe_tool shows more of {…} by `path`';
const MORE = 'more: describe_tool lists those that begin with the letters of `path`';

/** `listPets(arguments: {…})`, shortened until it fits. */
export function printSignature({ name, inputSchema }: ListedTool, most: number): string {
  return printWithin(most, (detail, room) => {
    const printer: Printer = { ...detail, root: inputSchema, open: [], choices: MOST_ALTERNATIVES, room };
    const lines = printMembers(inputSchema, printer, most - name.length - HINT.length - MORE.length - 40);
    const text =
      lines.length === 0 ? `${name}(arguments: {})` : `${name}(arguments: {\n${lines.join('\n')}\n})`;
    return text.includes('{…}') ? `${text}\n// ${HINT}` : text;
  });
}

/** The part of the arguments at a path, as a type. */
export function printArgumentPart(schema: JsonSchema, root: JsonSchemaObject, most: number): string {
  const print = (detail: Detail, room: Printer['room']): string => {
    const printer: Printer = { ...detail, root, open: [], choices: MOST_ALTERNATIVES, room };
    const { schema: found } = resolveReference(schema, printer);
    if (Object.keys(collectMembers(found, printer).properties).length > 0)
      return `{\n${printMembers(found, printer, most - MORE.length - 20).join('\n')}\n}`;
    const note = printNote(schema, printer);
    const values =
      found.enum === undefined
        ? detail.values
        : countFitting(found.enum.map(writeValue), most - note.length - 30);
    const part = { ...printer, values, choices: Infinity };
    return `${printType(found, part, detail.depth + 1)}${note}`;
  };
  return printWithin(most, print, PART_DETAILS);
}

/** The answer on one line; undefined if nothing is known of it. */
export function printAnswer({ outputSchema }: ListedTool, most: number): string | undefined {
  if (outputSchema === undefined) return undefined;
  const { _response: beside, ...properties } = outputSchema.properties ?? {};
  void beside;
  return printWithin(most, (detail, room) =>
    printType(
      { ...outputSchema, properties },
      { ...detail, words: 0, root: outputSchema, open: [], choices: MOST_ALTERNATIVES, room },
      Math.min(2, detail.depth),
    ),
  );
}

function printWithin(
  most: number,
  print: (detail: Detail, room: Printer['room']) => string,
  details = DETAILS,
): string {
  let text = '';
  for (const detail of details) {
    const room = { left: most };
    text = print(detail, room);
    if (text.length <= most && room.left >= 0) return text;
  }
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

/** A line for each member, the required ones first; what finds no room is named. */
function printMembers(schema: JsonSchemaObject, printer: Printer, most: number): string[] {
  const { properties, required } = collectMembers(schema, printer);
  const names = Object.keys(properties).toSorted(
    (one, other) => Number(required.has(other)) - Number(required.has(one)),
  );
  const lines: string[] = [];
  let left = most;
  for (const [at, name] of names.entries()) {
    const property = properties[name] ?? true;
    const line = `  ${printKey(name)}${required.has(name) ? '' : '?'}: ${printType(property, printer, printer.depth)};${printNote(property, printer)}`;
    left -= line.length + 1;
    if (left < 0 && printer === printerIfLeanest(printer))
      return [...lines, printMoreLine(names.slice(at), left + line.length)];
    lines.push(line);
  }
  return lines;
}

/** The last of `DETAILS` must fit, so it alone leaves members out. */
function printerIfLeanest(printer: Printer): Printer | undefined {
  return printer.words === 0 ? printer : undefined;
}

function printMoreLine(names: readonly string[], room: number): string {
  const shown: string[] = [];
  for (const name of names) {
    if (shown.join(', ').length + name.length > room - 40) break;
    shown.push(name);
  }
  const rest = names.length - shown.length;
  return `  // and ${[...shown, ...(rest === 0 ? [] : [`${rest} ${MORE}`])].join(', ')}`;
}

function printKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** The characters that the shortest member takes. */
const LEAST_TYPE = 6;

function printType(given: JsonSchema, outer: Printer, depth: number): string {
  outer.room.left -= LEAST_TYPE;
  if (outer.room.left < 0) return '…';
  if (typeof given === 'boolean') return given ? 'any' : 'never';
  const { schema, printer } = resolveReference(given, outer);
  if (printer === undefined) return '{…}';
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return printValues(schema.enum, printer.values);
  const choices = schema.oneOf ?? schema.anyOf;
  const { properties } = collectMembers(schema, printer);
  if (choices !== undefined && Object.keys(properties).length === 0)
    return printUnion(
      choices.map((each) => printType(each, printer, depth)),
      printer.choices,
    );
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 1)
    return printUnion(
      types.map((type) => printType({ ...schema, type }, printer, depth)),
      printer.choices,
    );
  const [type = guessType(schema, properties)] = types;
  if (type === 'array') return printList(schema, printer, depth);
  if (type === 'object') return printObject(schema, printer, depth);
  return SCALARS[type] ?? type;
}

function guessType({ items }: JsonSchemaObject, properties: object): string {
  if (items !== undefined) return 'array';
  return Object.keys(properties).length > 0 ? 'object' : 'any';
}

const SCALARS: Readonly<Record<string, string>> = { integer: 'integer', boolean: 'boolean', null: 'null' };

function printUnion(types: readonly string[], most: number): string {
  const all = [...new Set(types)];
  const rest = all.length - most;
  return rest > 0 ? `${all.slice(0, most).join(' | ')} | … /* ${rest} more */` : all.join(' | ');
}

/** Counts the texts that fit into `most` characters, one after the other. */
export function countFitting(texts: readonly string[], most: number): number {
  let left = most;
  const end = texts.findIndex((each) => (left -= each.length + 3) < 0);
  return end === -1 ? texts.length : end;
}

function writeValue(value: unknown): string {
  return JSON.stringify(value);
}

function printValues(values: readonly unknown[], most: number): string {
  return printUnion(values.map(writeValue), most);
}

function printList({ items, prefixItems }: JsonSchemaObject, printer: Printer, depth: number): string {
  if (prefixItems !== undefined)
    return `[${prefixItems.map((each) => printType(each, printer, depth - 1)).join(', ')}]`;
  const type = printType(items ?? true, printer, depth);
  return isUnion(type) ? `(${type})[]` : `${type}[]`;
}

/** Whether a `|` stands outside texts and brackets. */
function isUnion(type: string): boolean {
  let outside = type.replace(/"(?:[^"\\]|\\.)*"/g, '');
  for (let inside = ''; inside !== outside;) {
    inside = outside;
    outside = inside.replace(/\{[^{}]*\}|\([^()]*\)|\[[^[\]]*\]/g, '');
  }
  return outside.includes(' | ');
}

function printObject(schema: JsonSchemaObject, printer: Printer, depth: number): string {
  const { properties, required } = collectMembers(schema, printer);
  const names = Object.keys(properties);
  const { additionalProperties: others } = schema;
  if (names.length === 0)
    return isRecord(others) ? `{ [key]: ${printType(others, printer, depth - 1)} }` : 'object';
  if (depth <= 0)
    return printer.choices === MOST_ALTERNATIVES ? '{…}' : printAlternative(properties, required, depth);
  const inner = { ...printer, choices: MOST_ALTERNATIVES };
  const members = names.map(
    (name) =>
      `${printKey(name)}${required.has(name) ? '' : '?'}: ${printType(properties[name] ?? true, inner, depth - 1)}`,
  );
  return `{ ${members.join('; ')} }`;
}

/** The constants of an alternative, or else what it requires; above depth -1 with the names of its members. */
function printAlternative(
  properties: Members['properties'],
  required: Members['required'],
  depth: number,
): string {
  const names = Object.keys(properties);
  const told = names.flatMap((name) => {
    const { const: value, enum: values } = asObject(properties[name]);
    const only = value ?? (values?.length === 1 ? values[0] : undefined);
    return only === undefined ? [] : [[name, `${printKey(name)}: ${JSON.stringify(only)}`] as const];
  });
  const constants = new Map(told);
  const needed = names.filter((name) => required.has(name));
  const least = constants.size > 0 ? [...constants.keys()] : needed.length > 0 ? needed : names.slice(0, 1);
  const shown = (depth < 0 ? least : names).map((name) => constants.get(name) ?? printKey(name));
  return `{ ${[...shown, ...(shown.length < names.length ? ['…'] : [])].join('; ')} }`;
}

function asObject(schema: JsonSchema | undefined): JsonSchemaObject {
  return isRecord(schema) ? schema : {};
}

interface Members {
  properties: Record<string, JsonSchema>;
  required: ReadonlySet<string>;
}

/** The members of a schema and of all that `allOf` adds. */
function collectMembers(schema: JsonSchemaObject, printer: Printer): Members {
  const properties = { ...schema.properties };
  const required = new Set(schema.required);
  for (const each of schema.allOf ?? []) {
    const found = typeof each === 'boolean' ? undefined : resolveReference(each, printer);
    if (found?.printer === undefined) continue;
    const more = collectMembers(found.schema, found.printer);
    for (const [name, member] of Object.entries(more.properties)) properties[name] ??= member;
    for (const name of more.required) required.add(name);
  }
  return { properties, required };
}

/** Follows a reference; without `printer` where it leads back to itself. */
function resolveReference(
  given: JsonSchema,
  printer: Printer,
): { schema: JsonSchemaObject; printer: Printer | undefined } {
  let schema: JsonSchemaObject = typeof given === 'boolean' ? {} : given;
  let { open } = printer;
  while (schema.$ref !== undefined) {
    const { $ref, ...beside } = schema;
    if (open.includes($ref)) return { schema: {}, printer: undefined };
    open = [...open, $ref];
    const target = findDefinition(printer.root, $ref);
    schema = { ...target, ...beside };
    if (target.$ref === undefined) delete schema.$ref;
  }
  return { schema, printer: open === printer.open ? printer : { ...printer, open } };
}

export function findDefinition(root: JsonSchemaObject, reference: string): JsonSchemaObject {
  if (reference === '#') return root;
  const name = definitionNameOf(reference);
  const found = name === undefined ? undefined : getOwnMember(root.$defs ?? {}, name);
  return isRecord(found) ? (found as JsonSchemaObject) : {};
}

/** Prints what the type does not say: the description, format, default and bounds. */
function printNote(given: JsonSchema, printer: Printer): string {
  if (typeof given === 'boolean' || printer.words === 0) return '';
  const { schema } = resolveReference(given, printer);
  const { description = '', format, default: value, minimum, maximum, maxLength, pattern } = schema;
  const facts = [
    shortenTo(description.replace(/\s+/g, ' ').trim(), printer.words),
    format,
    value === undefined ? undefined : `default ${shortenTo(JSON.stringify(value), 40)}`,
    minimum === undefined ? undefined : `from ${minimum}`,
    maximum === undefined ? undefined : `to ${maximum}`,
    maxLength === undefined ? undefined : `${maxLength} characters at most`,
    pattern === undefined ? undefined : `/${shortenTo(pattern, 40)}/`,
  ].filter((fact) => fact !== undefined && fact !== '');
  return facts.length === 0 ? '' : ` // ${facts.join('; ')}`;
}

export function shortenTo(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most);
  const end = cut.lastIndexOf(' ');
  return `${end > most / 2 ? cut.slice(0, end) : cut.replace(/[\uD800-\uDBFF]$/, '')}…`;
}

export type Found = { schema: JsonSchema } | { known: string[]; at: string };

/** Follows a JSON Pointer over arguments, in which `*` is any item or any other member. */
export function findArgumentPart(root: JsonSchemaObject, path: string): Found {
  const steps = path
    .split('/')
    .slice(path.startsWith('/') ? 1 : 0)
    .filter((step) => step !== '');
  let at: JsonSchema[] = [root];
  let place = '';
  for (const step of steps.map(unescapePointerToken)) {
    const next = at.flatMap((schema) => schemasBehindStep(schema, step, root, 0));
    if (next.length === 0)
      return { known: [...new Set(at.flatMap((schema) => listSteps(schema, root, 0)))], at: place };
    at = next;
    place += `/${escapePointerToken(step)}`;
  }
  const [first = true] = at;
  return { schema: at.length > 1 ? { anyOf: at } : first };
}

const MOST_NESTING = 16;

/** A schema and the parts that describe the same value. */
function schemasOfSameValue(schema: JsonSchema, root: JsonSchemaObject, nesting: number): JsonSchemaObject[] {
  if (typeof schema === 'boolean' || nesting > MOST_NESTING) return [];
  const { $ref, allOf = [], anyOf = [], oneOf = [] } = schema;
  const parts = [...allOf, ...anyOf, ...oneOf, ...($ref === undefined ? [] : [findDefinition(root, $ref)])];
  return [schema, ...parts.flatMap((part) => schemasOfSameValue(part, root, nesting + 1))];
}

function schemasBehindStep(
  schema: JsonSchema,
  step: string,
  root: JsonSchemaObject,
  nesting: number,
): JsonSchema[] {
  return schemasOfSameValue(schema, root, nesting).flatMap((part) => {
    if (step === '*' || /^\d+$/.test(step)) {
      const { items, prefixItems = [], additionalProperties: others } = part;
      const found = [
        ...prefixItems,
        ...(items === undefined ? [] : [items]),
        ...(isRecord(others) ? [others] : []),
      ];
      if (found.length > 0) return found as JsonSchema[];
    }
    const found = getOwnMember(part.properties ?? {}, step);
    return found === undefined ? [] : [found];
  });
}

function listSteps(schema: JsonSchema, root: JsonSchemaObject, nesting: number): string[] {
  return schemasOfSameValue(schema, root, nesting).flatMap(
    ({ properties = {}, items, additionalProperties: others }) => [
      ...Object.keys(properties),
      ...(items === undefined && !isRecord(others) ? [] : ['*']),
    ],
  );
}
