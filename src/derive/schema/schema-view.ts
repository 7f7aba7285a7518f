/**
 * The shared schemas as one direction sees them: inputs without `readOnly` properties, outputs without `writeOnly`
 * ones, loose outputs without constraints. Each schema object is rewritten at most once, and unchanged ones are the
 * source's own objects. No boolean schema is left among `properties`.
 */
import type { JsonSchema, JsonSchemaObject } from '../../util/json-schema.ts';
import { ownMember } from '../../../templates/runtime/json-rpc.ts';
import { normalizeLetters } from '../../model/letters.ts';
import {
  asSchemaObject,
  collectReached,
  collectRefs,
  definitionNameOf,
  forEachSubschema,
  mapSubschemas,
  omitKeywords,
} from '../../model/schema-walk.ts';
import { FlaggedNames } from './prune-properties.ts';

export type SchemaRewrite = (schema: JsonSchema) => JsonSchema;

export class SchemaView {
  readonly pool: Record<string, JsonSchema>;
  readonly readOnly: FlaggedNames;
  /** Whether a schema was left out because it would take too many copies. */
  isTooLarge = false;
  readonly #rewrite: SchemaRewrite;
  readonly #done = new Map<JsonSchemaObject, JsonSchema>();
  readonly #open = new Set<JsonSchemaObject>();
  readonly #defined = new Map<string, JsonSchema>();
  /** By the names that the schemas refer to. Large APIs have thousands of tools with one closure of hundreds of schemas. */
  readonly #closures = new Map<string, Record<string, JsonSchema>>();
  /** Clients refuse the whole list if a property's schema is a boolean. */
  readonly #ofSubschema = (subschema: JsonSchema, keyword: string): JsonSchema =>
    keyword === 'properties' ? asSchemaObject(this.rewriteSchema(subschema)) : this.rewriteSchema(subschema);

  constructor(pool: Record<string, JsonSchema>, rewrite: SchemaRewrite) {
    this.pool = pool;
    this.readOnly = new FlaggedNames(pool, 'readOnly');
    this.#rewrite = rewrite;
  }

  rewriteSchema(schema: JsonSchema): JsonSchema {
    if (typeof schema === 'boolean') return this.#rewrite(schema);
    const done = this.#done.get(schema);
    if (done !== undefined) return done;
    // A rewrite may inline a reference that leads back here; there it accepts anything.
    if (this.#open.has(schema)) return true;
    this.#open.add(schema);
    const own = this.#rewrite(schema);
    const rewritten = typeof own === 'boolean' ? own : mapSubschemas(own, this.#ofSubschema);
    this.#open.delete(schema);
    this.#done.set(schema, rewritten);
    return rewritten;
  }

  findTarget(ref: unknown): JsonSchema | undefined {
    const name = definitionNameOf(ref);
    return name === undefined ? undefined : this.findMember(name);
  }

  findMember(name: string): JsonSchema | undefined {
    const defined = this.#defined.get(name);
    if (defined !== undefined) return defined;
    const schema = ownMember(this.pool, name);
    return schema === undefined ? undefined : this.rewriteSchema(schema);
  }

  /**
   * Adds a variant of the pool member `name`, made by `make`, with `suffix` in its name. Returns `name` if nothing
   * changes. The variant's name is reserved first, so `make` may refer to it.
   */
  defineVariant(name: string, suffix: string, make: (member: JsonSchema) => JsonSchema): string {
    const variantName = this.#freeName(name + suffix);
    const member = this.findMember(name);
    if (member === undefined) return name;
    if (!this.#defined.has(variantName)) {
      this.#defined.set(variantName, true);
      this.#defined.set(variantName, make(member));
    }
    return this.#defined.get(variantName) === member ? name : variantName;
  }

  #freeName(wish: string): string {
    return Object.hasOwn(this.pool, wish) ? this.#freeName(`${wish}_`) : wish;
  }

  /** Collects the pool members that `schemas` reach, until `proceed` returns false. */
  collectReached(
    schemas: Iterable<JsonSchema>,
    proceed?: (name: string, schema: JsonSchema) => boolean,
  ): Map<string, JsonSchema> {
    return collectReached(schemas, (name) => this.findMember(name), proceed);
  }

  /** Collects the `$defs` of a schema made of `schemas`: the same object for the same references. Undefined if there are none. */
  closure(schemas: readonly JsonSchema[]): Record<string, JsonSchema> | undefined {
    const names = [...new Set(schemas.flatMap((schema) => [...collectRefs(schema)]))].join('\n');
    if (names === '') return undefined;
    let closure = this.#closures.get(names);
    if (closure === undefined)
      this.#closures.set(names, (closure = Object.fromEntries(this.collectReached(schemas))));
    return Object.keys(closure).length === 0 ? undefined : closure;
  }
}

const ofExamples = new Set(['example', 'examples']);

/** Follows references that have no other keywords than examples; undefined for a circle or a dangling one. */
export function resolveLoneReference(schema: JsonSchema, view: SchemaView): JsonSchema | undefined {
  const seen = new Set<unknown>();
  let current: JsonSchema | undefined = schema;
  while (
    typeof current === 'object' &&
    current.$ref !== undefined &&
    Object.keys(current).every((keyword) => keyword === '$ref' || ofExamples.has(keyword))
  ) {
    if (seen.has(current.$ref)) return undefined;
    seen.add(current.$ref);
    current = view.findTarget(current.$ref);
  }
  return current;
}

/** Limit of schemas that one schema is expanded to. A few lines can expand to billions. */
export const MOST_COPIES = 10_000;

export function hasTooManySchemas(schema: JsonSchema): boolean {
  let count = 0;
  const visit = (part: JsonSchema): void => {
    count += 1;
    if (count <= MOST_COPIES && typeof part === 'object') forEachSubschema(part, visit);
  };
  visit(schema);
  return count > MOST_COPIES;
}

/** Removes redundant titles: `petId: { title: "Pet Id" }` repeats the name in every tool. */
export const dropRedundantTitles: SchemaRewrite = (schema) => {
  if (typeof schema === 'boolean' || schema.properties === undefined) return schema;
  return mapSubschemas(schema, (subschema, keyword, name) =>
    keyword === 'properties' && name !== undefined ? dropRedundantTitle(name, subschema) : subschema,
  );
};

export function dropRedundantTitle(name: string, schema: JsonSchema): JsonSchema {
  if (typeof schema === 'boolean' || typeof schema.title !== 'string') return schema;
  return normalizeLetters(schema.title) === normalizeLetters(name) ? omitKeywords(schema, 'title') : schema;
}
