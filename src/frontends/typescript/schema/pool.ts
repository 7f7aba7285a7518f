import type { ts } from 'ts-morph';

import type {
  Codec,
  JsonSchema,
  JsonSchemaObject,
} from '../../../../templates/runtime/contract/json-schema.ts';
import { getOwnMember, setOwnMember } from '../../../../templates/runtime/contract/json-value.ts';
import type { CodeOrigin } from '../../../model/origin.ts';
import { mapSubschemas, definitionNameOf } from '../../../model/schema-walk.ts';
import { groupBy } from '../../../util/collections.ts';
import { shortHash } from '../../../util/short-hash.ts';
import { type FileLabel, makeNodeOrigin } from '../program/source-program.ts';
import { type Described, type Owners, mapReferencesToDefinitions } from './definitions.ts';
import { type Direction, type NotedUnion, hasForm } from './form.ts';
import { type Pruning, pruneCodec } from './prune-codec.ts';
import { findFreeName } from '../../../util/free-name.ts';

export interface Pool {
  schemas: Record<string, JsonSchema>;
  codecs: Record<string, Codec>;
  origins: Record<string, CodeOrigin>;
}

interface Settling {
  label: FileLabel;
  pruningOf: (direction: Direction) => Pruning;
}

export function assignDefinitionNames(definitions: readonly Described[], settling: Settling): Pool {
  const pool: Pool = { schemas: {}, codecs: {}, origins: {} };
  for (const { name, members } of groupDefinitionsByName(definitions)) {
    for (const { references, codecReferences } of members) {
      for (const reference of references) reference.$ref = `#/$defs/${name}`;
      for (const reference of codecReferences) reference.name = name;
    }
    const [first] = members;
    if (first === undefined) continue;
    putDefinition(pool, name, members.find(({ direction }) => direction === 'output') ?? first, settling);
  }
  return pool;
}

function putDefinition(
  { schemas, codecs, origins }: Pool,
  name: string,
  { form, symbol, direction }: Described,
  { label, pruningOf }: Settling,
): void {
  const usableForm = form !== undefined && hasForm(form) ? form : { schema: {}, codec: undefined };
  schemas[name] = usableForm.schema;
  const codec = pruneCodec(usableForm.codec, pruningOf(direction));
  if (codec !== undefined) codecs[name] = codec;
  const declaration = symbol?.declarations?.[0];
  if (declaration !== undefined) origins[name] = makeNodeOrigin(declaration, label);
}

/** Definitions with equal content share a name, usually one for each direction. */
interface NamedGroup {
  name: string;
  members: Described[];
}

/** Names definitions by content and place, so that the order does not matter. */
function groupDefinitionsByName(definitions: readonly Described[]): NamedGroup[] {
  const owner = mapReferencesToDefinitions(definitions);
  const classes = groupByContent(definitions, owner);
  const wishes = groupBy(
    [...groupBy(definitions, (definition) => classes.get(definition) ?? '').values()],
    ([first]) => (first === undefined ? '' : first.wish),
  );
  const takenNames = new Set(wishes.keys());
  return [...wishes].flatMap(([wish, groups]) => nameGroups(wish, groups, classes, takenNames));
}

/** Splits classes by content until the references of all members agree (partition refinement). */
function groupByContent(definitions: readonly Described[], owner: Owners): Map<Described, string> {
  const contents = definitions.map((definition) => ({
    each: definition,
    ...formatContent(definition, owner),
  }));
  let classes = new Map(definitions.map((definition) => [definition, definition.wish]));
  for (let count = 0; ;) {
    const next = new Map(
      contents.map(({ each: definition, texts, targets }) => {
        const namedTargets = targets.map(
          (target, index) => `${texts[index]}"$ref":${JSON.stringify(classes.get(target))}`,
        );
        return [definition, `${definition.wish} ${shortHash(`${namedTargets.join('')}${texts.at(-1)}`)}`];
      }),
    );
    const size = new Set(next.values()).size;
    classes = next;
    if (size === count) return classes;
    count = size;
  }
}

/** Writes a form as text, split where it refers to a definition. */
function formatContent({ form }: Described, owner: Owners): { texts: string[]; targets: Described[] } {
  if (form === undefined || !hasForm(form)) return { texts: [''], targets: [] };
  const targets: Described[] = [];
  const text = JSON.stringify([form.schema, form.codec], (_, value: unknown) => {
    const target = typeof value === 'object' && value !== null ? owner.get(value) : undefined;
    if (target === undefined) return value;
    targets.push(target);
    return { ...(value as object), $ref: NAMELESS, name: undefined };
  });
  return { texts: text.split(`"$ref":${JSON.stringify(NAMELESS)}`), targets };
}

/** The name of a definition that no schema refers to. */
const NAMELESS = '\0';

function nameGroups(
  wish: string,
  groups: Described[][],
  classes: Map<Described, string>,
  takenNames: Set<string>,
): NamedGroup[] {
  if (groups.length === 1) return groups.map((members) => ({ name: wish, members }));
  const suffixes = deriveSuffixes(groups, classes);
  return groups.map((members, index) => {
    const name = findFreeName(
      `${wish}_${suffixes[index] ?? ''}`.replace(/_$/, ''),
      // The result may be the preferred name of another type.
      (free) => free !== wish && takenNames.has(free),
    );
    takenNames.add(name);
    return { name, members };
  });
}

/** Tells rivals apart by the end of their paths, then by direction, then by a hash of the content. */
function deriveSuffixes(groups: readonly Described[][], classes: Map<Described, string>): string[] {
  const firsts = groups.map(([first]) => first);
  const directions = firsts.map((first) => (first?.direction === 'output' ? 'output' : ''));
  const isOneType = new Set(firsts.map((first) => first?.type)).size === 1;
  if (isOneType && new Set(directions).size === groups.length) return directions;
  const paths = firsts.map((first) => wordsOfFilePath(first?.symbol));
  for (let count = 1; count <= Math.max(...paths.map(({ length }) => length)); count += 1) {
    const ends = paths.map((words) => words.slice(-count).join('_'));
    if (!ends.includes('') && new Set(ends).size === ends.length) return ends;
  }
  return firsts.map((first) => shortHash(first === undefined ? '' : (classes.get(first) ?? '')).slice(0, 6));
}

function wordsOfFilePath(symbol: ts.Symbol | undefined): string[] {
  const file = symbol?.declarations?.[0]?.getSourceFile().fileName ?? '';
  const path = file.replace(/^.*\/node_modules\//, '').replace(/\.(?:d\.)?[cm]?[jt]sx?$/, '');
  return path
    .split('/')
    .map((part) => part.replaceAll(/[^A-Za-z0-9]+/g, '_').replaceAll(/^_+|_+$/g, ''))
    .filter((part) => part !== '');
}

type Schemas = Readonly<Record<string, JsonSchema>>;

/** Copies have no descriptions, and are made anew each time, since names may have changed. */
export function fillCopies({ definitions, alternatives }: NotedUnion, schemas: Schemas): void {
  clearObject(definitions);
  for (const { schema, copy } of alternatives) {
    clearObject(copy);
    Object.assign(copy, copyConstraints(schema, schemas, definitions));
  }
}

function clearObject(holder: object): void {
  for (const name of Object.keys(holder)) Reflect.deleteProperty(holder, name);
}

function copyConstraints(
  schema: JsonSchemaObject,
  schemas: Schemas,
  reached: Record<string, JsonSchema>,
): JsonSchemaObject {
  const keywords = Object.entries(schema).filter(([keyword, value]) =>
    isConstraintKeyword(keyword, value, schemas),
  );
  const name = definitionNameOf(schema.$ref);
  const target = name === undefined ? undefined : (getOwnMember(schemas, name) as JsonSchema | undefined);
  const copySchema = (part: JsonSchema): JsonSchema =>
    typeof part === 'boolean' ? part : copyConstraints(part, schemas, reached);
  if (name !== undefined && target !== undefined && !Object.hasOwn(reached, name)) {
    // The schema may be recursive.
    setOwnMember(reached, name, true);
    setOwnMember(reached, name, copySchema(target));
  }
  return mapSubschemas(Object.fromEntries(keywords), copySchema);
}

const idle = new Set([
  ...['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'],
  ...['format', 'contentEncoding', 'contentMediaType', 'contentSchema'],
  ...['$schema', '$id', '$anchor', '$comment', '$defs', '$dynamicRef', '$dynamicAnchor'],
]);

/** A reference in a `@schema` may lead elsewhere, so it is not used here. */
function isConstraintKeyword(keyword: string, value: unknown, schemas: Schemas): boolean {
  if (keyword === '$ref') return Object.hasOwn(schemas, definitionNameOf(value) ?? '');
  return !idle.has(keyword) && !keyword.startsWith('x-');
}
