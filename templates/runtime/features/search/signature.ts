// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Writes the arguments of a tool as a short type, in the manner of TypeScript, within a number of characters. */
import { isRecord, ownMember } from '../../json-rpc.ts';
import type { ToolInfo } from '../../types.ts';

export type JsonSchema = boolean | JsonSchemaObject;
/** The keywords of JSON Schema that are shown. */
export interface JsonSchemaObject {
  [keyword: string]: unknown;
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  prefixItems?: JsonSchema[];
  patternProperties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema;
  allOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  enum?: unknown[];
  description?: string;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
}

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
export function printSignature({ name, inputSchema }: ToolInfo, most: number): string {
  return printWithin(most, (detail, room) => {
    const printer: Printer = { ...detail, root: inputSchema, open: [], choices: MOST_ALTERNATIVES, room };
    const left = most - name.length - HINT.length - MORE.length - 40;
    const text = `${name}(arguments: ${printBlock(inputSchema, printer, left)})`;
    return text.includes('{…}') ? `${text}\n// ${HINT}` : text;
  });
}

/** The part of the arguments at a path, as a type. */
export function printArgumentPart(schema: JsonSchema, root: JsonSchemaObject, most: number): string {
  const print = (detail: Detail, room: Printer['room']): string => {
    const printer: Printer = { ...detail, root, open: [], choices: MOST_ALTERNATIVES, room };
    const { schema: found } = resolveReference(schema, printer);
    if (Object.keys(collectMembers(found, printer).properties).length > 0)
      return printBlock(found, printer, most - MORE.length - 20);
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
export function printAnswer({ outputSchema }: ToolInfo, most: number): string | undefined {
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

/** An object over several lines, and the alternatives that add to it. */
function printBlock(schema: JsonSchemaObject, printer: Printer, most: number): string {
  const members = collectMembers(schema, printer);
  const others = printOthers(schema, printer, printer.depth).map((each) => `  ${each};`);
  const more = printChoices(members, printer, printer.depth);
  const room = most - [...others, ...more].join('\n').length;
  const lines = [...printMembers(members, printer, room), ...others];
  const block = lines.length > 0 ? [`{\n${lines.join('\n')}\n}`] : more.length > 0 ? [] : ['{}'];
  return printIntersection([...block, ...more]);
}

/** A line for each member, the required ones first; what finds no room is named. */
function printMembers({ properties, required }: Members, printer: Printer, most: number): string[] {
  const names = Object.keys(properties).toSorted(
    (one, other) => Number(required.has(other)) - Number(required.has(one)),
  );
  const lines: string[] = [];
  let left = most;
  for (const [at, name] of names.entries()) {
    const property = ownMember(properties, name) ?? true;
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
  const members = collectMembers(schema, printer);
  const parts = printChoices(members, printer, depth);
  if (Object.keys(members.properties).length === 0)
    parts.push(...(schema.allOf ?? []).map((each) => printType(each, printer, depth)));
  return printIntersection([printOwnType(schema, members, printer, depth), ...parts]);
}

function printOwnType(schema: JsonSchemaObject, members: Members, printer: Printer, depth: number): string {
  const types = schema.type === undefined ? [guessType(schema, members)] : [schema.type].flat();
  const printed = types.map((type) => {
    if (type === 'array') return printList(schema, printer, depth);
    return type === 'object' ? printObject(schema, members, printer, depth) : type;
  });
  return printUnion(printed, printer.choices);
}

function guessType(
  { items, prefixItems, patternProperties, additionalProperties: others }: JsonSchemaObject,
  { properties }: Members,
): string {
  if (items !== undefined || prefixItems !== undefined) return 'array';
  const isObject = Object.keys(properties).length > 0 || patternProperties !== undefined || isRecord(others);
  return isObject ? 'object' : 'any';
}

function printChoices({ choices }: Members, printer: Printer, depth: number): string[] {
  return choices.map((each) =>
    printUnion(
      each.map((choice) => printType(choice, printer, depth)),
      printer.choices,
    ),
  );
}

/** `any` and `object` say nothing beside another type. */
function printIntersection(parts: readonly string[]): string {
  const all = [...new Set(parts)];
  const telling = all.filter((each) => each !== 'any' && each !== 'object');
  if (telling.length === 0) return all.toSorted().at(-1) ?? 'any';
  if (telling.length === 1) return telling[0] ?? 'any';
  return telling.map((each) => (isUnion(each) ? `(${each})` : each)).join(' & ');
}

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
  if (prefixItems === undefined) return printArray(printType(items ?? true, printer, depth));
  const types = prefixItems.map((each) => printType(each, printer, depth - 1));
  if (isRecord(items)) types.push(`...${printArray(printType(items, printer, depth - 1))}`);
  return `[${types.join(', ')}]`;
}

function printArray(type: string): string {
  return isUnion(type) ? `(${type})[]` : `${type}[]`;
}

/** Whether a `|` or `&` stands outside texts and brackets. */
function isUnion(type: string): boolean {
  let outside = type.replace(/"(?:[^"\\]|\\.)*"/g, '');
  for (let inside = ''; inside !== outside;) {
    inside = outside;
    outside = inside.replace(/\{[^{}]*\}|\([^()]*\)|\[[^[\]]*\]/g, '');
  }
  return / [|&] /.test(outside);
}

function printObject(
  schema: JsonSchemaObject,
  { properties, required }: Members,
  printer: Printer,
  depth: number,
): string {
  const names = Object.keys(properties);
  const others = printOthers(schema, printer, depth);
  if (names.length === 0) return others.length > 0 ? `{ ${others.join('; ')} }` : 'object';
  if (depth <= 0)
    return printer.choices === MOST_ALTERNATIVES ? '{…}' : printAlternative(properties, required, depth);
  const inner = { ...printer, choices: MOST_ALTERNATIVES };
  const members = names.map(
    (name) =>
      `${printKey(name)}${required.has(name) ? '' : '?'}: ${printType(ownMember(properties, name) ?? true, inner, depth - 1)}`,
  );
  return `{ ${[...members, ...others].join('; ')} }`;
}

/** The members whose names the schema does not list. */
function printOthers(
  { additionalProperties: others, patternProperties = {} }: JsonSchemaObject,
  printer: Printer,
  depth: number,
): string[] {
  const named = Object.entries(patternProperties).map(
    ([pattern, each]) => [`/${shortenTo(pattern, 40)}/`, each] as const,
  );
  return [...named, ...(isRecord(others) ? [['key', others] as const] : [])].map(
    ([key, each]) => `[${key}]: ${printType(each, printer, depth - 1)}`,
  );
}

/** The constants of an alternative, or else what it requires; above depth -1 with the names of its members. */
function printAlternative(
  properties: Members['properties'],
  required: Members['required'],
  depth: number,
): string {
  const names = Object.keys(properties);
  const told = names.flatMap((name) => {
    const { const: value, enum: values } = asObject(ownMember(properties, name));
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
  /** Lists of alternatives, of each of which one holds too. */
  choices: readonly (readonly JsonSchema[])[];
}

/** The members of a schema and of all that `allOf` adds. */
function collectMembers(schema: JsonSchemaObject, printer: Printer): Members {
  const properties = { ...schema.properties };
  const required = new Set(schema.required);
  const choices: (readonly JsonSchema[])[] = [schema.oneOf, schema.anyOf].filter(
    (each) => each !== undefined,
  );
  for (const each of schema.allOf ?? []) {
    printer.room.left -= 1;
    if (printer.room.left < 0) break;
    const found = typeof each === 'boolean' ? undefined : resolveReference(each, printer);
    if (found?.printer === undefined) continue;
    const more = collectMembers(found.schema, found.printer);
    for (const [name, member] of Object.entries(more.properties))
      if (!Object.hasOwn(properties, name))
        Object.defineProperty(properties, name, { value: member, enumerable: true, configurable: true });
    for (const name of more.required) required.add(name);
    choices.push(...more.choices);
  }
  return { properties, required, choices };
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
  const [, name] = /^#\/\$defs\/([^/]+)$/.exec(reference) ?? [];
  const found =
    name === undefined ? undefined : ownMember(root.$defs, unescapeStep(decodeURIComponent(name)));
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

/** A step of a JSON Pointer (RFC 6901). */
export const escapeStep = (step: string): string => step.replaceAll('~', '~0').replaceAll('/', '~1');
export const unescapeStep = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');
