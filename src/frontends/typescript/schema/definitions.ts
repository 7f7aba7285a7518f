import type { ts } from 'ts-morph';

import type { Codec } from '../../../model/codec.ts';
import type { JsonSchemaObject, JsonType, JsonSchema } from '../../../util/json-schema.ts';
import { ownMember } from '../../../../templates/runtime/json-rpc.ts';
import { setOwnMember } from '../../../util/json-value.ts';
import type { CodeOrigin } from '../../../model/origin.ts';
import {
  ALTERNATIVES,
  ANNOTATIONS,
  definitionNameOf,
  keywordsThatJudge,
  mapSubschemas,
  subschemasOf,
} from '../../../model/schema-walk.ts';
import { groupBy } from '../../../util/collections.ts';
import { findFreeName } from '../../../util/free-name.ts';
import { shortHash } from '../../../util/short-hash.ts';
import { type FileLabel, makeNodeOrigin } from '../program/source-program.ts';
import {
  type Direction,
  type Form,
  type NoForm,
  type Place,
  hasForm,
  type NotedSchema,
  type NotedUnion,
} from './form.ts';
import { type Pruning, pruneCodec } from './prune-codec.ts';
import { cleanFileStem } from './type-name.ts';

export interface Described {
  /** The type, which tells it from others with the same name. */
  type: object;
  wish: string;
  /** Absent for a recursive type without a name, and for definitions of a `@schema`. */
  symbol: ts.Symbol | undefined;
  direction: Direction;
  /** Absent while a recursive type is being read. */
  form?: Form | NoForm;
  /** References get the name when all names are known. */
  references: { $ref?: string }[];
  codecReferences: (Codec & { kind: 'ref' })[];
}

export interface Definition extends Described {
  type: ts.Type;
  place: Place;
  /** Whether the codec changes values, for each direction; absent until that is known. */
  does?: Record<Direction, boolean>;
}

export class Definitions {
  readonly #direction: Direction;
  readonly #byType = new Map<ts.Type, Definition>();
  readonly targets = new Map<Codec, Definition>();
  readonly #byReference = new Map<JsonSchemaObject, Definition>();
  #undecided: Definition[] = [];

  constructor(direction: Direction) {
    this.#direction = direction;
  }

  get all(): Definition[] {
    return [...this.#byType.values()];
  }

  definitionOf(type: ts.Type): Definition | undefined {
    return this.#byType.get(type);
  }

  addDefinition(
    type: ts.Type,
    { name, symbol }: { name: string; symbol: ts.Symbol | undefined },
    place: Place,
  ): Definition {
    const definition: Definition = {
      type,
      wish: name,
      symbol,
      direction: this.#direction,
      place,
      references: [],
      codecReferences: [],
    };
    this.#byType.set(type, definition);
    this.#undecided.push(definition);
    return definition;
  }

  makeReferenceForm(definition: Definition, place: Place): Form | NoForm {
    const { form, does, wish } = definition;
    // A named type without a JSON form is reported where it is used.
    if (form !== undefined && !hasForm(form))
      return {
        faults: form.faults.map((fault) => (fault.place === definition.place ? { ...fault, place } : fault)),
      };
    const schema = { $ref: `#/$defs/${wish}` };
    definition.references.push(schema);
    this.#byReference.set(schema, definition);
    if (does?.output === false || (form !== undefined && form.codec === undefined)) return { schema };
    const codec: Codec & { kind: 'ref' } = { kind: 'ref', name: wish };
    definition.codecReferences.push(codec);
    this.targets.set(codec, definition);
    return { schema, codec };
  }

  /** The JSON types of a schema's values; empty for any. */
  jsonTypesOf(schema: JsonSchemaObject): ReadonlySet<JsonType> {
    const definition = this.#byReference.get(schema);
    if (definition !== undefined) {
      const { form, type } = definition;
      if (form !== undefined) return hasForm(form) ? this.jsonTypesOf(form.schema) : new Set();
      // A recursive type in progress.
      return new Set<JsonType>(type.isUnion() ? [] : ['object']);
    }
    if (schema.type !== undefined) return new Set([schema.type].flat());
    const alternatives = subschemasOf(schema, ALTERNATIVES).map((alternative) =>
      typeof alternative === 'boolean' ? new Set<JsonType>() : this.jsonTypesOf(alternative),
    );
    const isOpen = alternatives.some(({ size }) => size === 0);
    return new Set(isOpen ? [] : alternatives.flatMap((types) => [...types]));
  }

  /** Returns definitions added since the last call, whose codecs are not settled yet. */
  takeUndecided(): Definition[] {
    return this.#undecided.splice(0);
  }

  dropUnfinished(): void {
    for (const { type, form } of this.all) if (form === undefined) this.#byType.delete(type);
  }
}

type Owners = ReadonlyMap<object, Described>;

export function mapReferencesToDefinitions(definitions: readonly Described[]): Owners {
  const owners = new Map<object, Described>();
  for (const definition of definitions) {
    for (const reference of definition.references) owners.set(reference, definition);
    for (const reference of definition.codecReferences) owners.set(reference, definition);
  }
  return owners;
}

export function collectReached(forms: readonly Form[], owners: Owners): Described[] {
  const reached = new Set<Described>();
  for (const form of forms) collectReferences(form, owners, reached);
  // The loop also visits what it adds to the set.
  for (const { form } of reached)
    if (form !== undefined && hasForm(form)) collectReferences(form, owners, reached);
  return [...reached];
}

function collectReferences(value: unknown, owners: Owners, reached: Set<Described>): void {
  if (typeof value !== 'object' || value === null) return;
  const definition = owners.get(value);
  if (definition !== undefined) reached.add(definition);
  for (const part of Object.values(value)) collectReferences(part, owners, reached);
}

/**
 * Moves `$defs` of a `@schema` that is within a tool's schema, where `#/$defs` are the types of the program, to these types. `tops`
 * are schemas of whole tools; `wishOf` turns a written name into a preferred one.
 */
export function moveOwnDefinitions(
  noted: readonly NotedSchema[],
  tops: ReadonlySet<JsonSchemaObject>,
  wishOf: (name: string) => string,
): Described[] {
  return noted.flatMap((notedSchema) => {
    const { schema, original, direction } = notedSchema;
    const { $defs, ...ownSchema } = original;
    if (tops.has(schema) || $defs === undefined || original.$id !== undefined) return [];
    const definitions = new Map(
      Object.keys($defs).map((name): [string, Described] => [
        name,
        {
          type: $defs,
          wish: wishOf(name),
          symbol: undefined,
          direction,
          references: [],
          codecReferences: [],
        },
      ]),
    );
    const linkReferences = (part: JsonSchema): JsonSchemaObject => {
      if (typeof part === 'boolean') return part ? {} : { not: {} };
      const linked = {
        ...mapSubschemas(part, (inner) => (typeof inner === 'boolean' ? inner : linkReferences(inner))),
      };
      definitions.get(definitionNameOf(linked.$ref) ?? '')?.references.push(linked);
      return linked;
    };
    for (const [name, definition] of definitions)
      definition.form = { schema: linkReferences($defs[name] ?? true) };
    const linked = linkReferences(ownSchema);
    // Keywords from other tags win.
    for (const [keyword, value] of Object.entries(original))
      if (schema[keyword] === value) Reflect.deleteProperty(schema, keyword);
    Object.assign(schema, { ...linked, ...schema });
    definitions.get(definitionNameOf(linked.$ref) ?? '')?.references.push(schema);
    notedSchema.original = linked;
    return [...definitions.values()];
  });
}

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
    const { form, symbol, direction } =
      members.find((member) => member.direction === 'output') ?? members[0] ?? {};
    const { schema = {}, codec: whole } = form !== undefined && hasForm(form) ? form : {};
    pool.schemas[name] = schema;
    const codec = direction && pruneCodec(whole, settling.pruningOf(direction));
    if (codec !== undefined) pool.codecs[name] = codec;
    const declaration = symbol?.declarations?.[0];
    if (declaration !== undefined) pool.origins[name] = makeNodeOrigin(declaration, settling.label);
  }
  return pool;
}

/** Definitions with equal content share a name, usually one for each direction. */
interface NamedGroup {
  name: string;
  members: Described[];
}

/** Names definitions by content and place, so that the order does not matter. */
function groupDefinitionsByName(definitions: readonly Described[]): NamedGroup[] {
  const classes = groupByContent(definitions, mapReferencesToDefinitions(definitions));
  const groups = groupBy(definitions, (definition) => classes.get(definition) ?? '');
  const wishes = groupBy([...groups.values()], ([first]) => first?.wish ?? '');
  const takenNames = new Set(wishes.keys());
  return [...wishes].flatMap(([wish, rivals]) => {
    if (rivals.length === 1) return rivals.map((members) => ({ name: wish, members }));
    const suffixes = deriveSuffixes(rivals, classes);
    return rivals.map((members, index) => {
      const name = findFreeName(
        `${wish}_${suffixes[index] ?? ''}`.replace(/_$/, ''),
        // The result may be the preferred name of another type.
        (free) => free !== wish && takenNames.has(free),
      );
      takenNames.add(name);
      return { name, members };
    });
  });
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

/** Tells rivals apart by direction, by file, or by a hash of the content. */
function deriveSuffixes(groups: readonly Described[][], classes: Map<Described, string>): string[] {
  const firsts = groups.map(([first]) => first);
  const directions = firsts.map((first) => (first?.direction === 'output' ? 'output' : ''));
  const isOneType = new Set(firsts.map((first) => first?.type)).size === 1;
  if (isOneType && new Set(directions).size === groups.length) return directions;
  const stems = firsts.map((first) =>
    cleanFileStem(first?.symbol?.declarations?.[0]?.getSourceFile().fileName ?? ''),
  );
  return new Set(stems).size === groups.length
    ? stems
    : firsts.map((first) => shortHash(first === undefined ? '' : (classes.get(first) ?? '')).slice(0, 6));
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
    // A reference in a `@schema` may lead elsewhere, so it is not used here.
    keyword === '$ref'
      ? Object.hasOwn(schemas, definitionNameOf(value) ?? '')
      : !idle.has(keyword) && !keyword.startsWith('x-'),
  );
  const name = definitionNameOf(schema.$ref);
  const target = name === undefined ? undefined : (ownMember(schemas, name) as JsonSchema | undefined);
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
  ...[...ANNOTATIONS, ...keywordsThatJudge('nothing'), 'format', 'contentEncoding', 'contentMediaType'],
  ...['$schema', '$id', '$anchor', '$dynamicRef', '$dynamicAnchor'],
]);
