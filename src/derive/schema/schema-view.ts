/**
 * The shared schemas as one direction sees them: inputs without `readOnly` properties, outputs without
 * `writeOnly` ones, loose outputs also without what real answers fail. Every schema object is rewritten at
 * most once and then shared by all tools; what needs no change is the source's own object. No boolean schema is
 * left among `properties`, at any depth.
 */
import type { JsonSchema, JsonSchemaObject } from '../../../templates/runtime/contract/json-schema.ts';
import { asSchemaObject, eachSubschema, mapSubschemas, refName, refsIn } from '../../model/schema-walk.ts';

/** Rewrites the keywords of one schema; its subschemas follow by themselves. */
export type SchemaRewrite = (schema: JsonSchema) => JsonSchema;

export class SchemaView {
  /** As the source has it. */
  readonly pool: Record<string, JsonSchema>;
  /** The schemas that were not inlined because that would take too many copies. */
  readonly tooLarge = new Set<JsonSchema>();
  readonly #rewrite: SchemaRewrite;
  readonly #done = new Map<JsonSchemaObject, JsonSchema>();
  readonly #open = new Set<JsonSchemaObject>();
  readonly #defined = new Map<string, JsonSchema>();
  /** Clients that check what a server lists refuse a boolean among properties, and the whole list with it. */
  readonly #ofSubschema = (subschema: JsonSchema, keyword: string): JsonSchema =>
    keyword === 'properties' ? asSchemaObject(this.of(subschema)) : this.of(subschema);

  constructor(pool: Record<string, JsonSchema>, rewrite: SchemaRewrite) {
    this.pool = pool;
    this.#rewrite = rewrite;
  }

  /** A schema of the source as this direction sees it. */
  of(schema: JsonSchema): JsonSchema {
    if (typeof schema === 'boolean') return this.#rewrite(schema);
    const done = this.#done.get(schema);
    if (done !== undefined) return done;
    // A rewrite may write out a reference that leads back here: there it accepts anything.
    if (this.#open.has(schema)) return true;
    this.#open.add(schema);
    const own = this.#rewrite(schema);
    const rewritten = typeof own === 'boolean' ? own : mapSubschemas(own, this.#ofSubschema);
    this.#open.delete(schema);
    this.#done.set(schema, rewritten);
    return rewritten;
  }

  /** The rewritten pool member a `$ref` names. */
  target(ref: unknown): JsonSchema | undefined {
    const name = refName(ref);
    return name === undefined ? undefined : this.member(name);
  }

  member(name: string): JsonSchema | undefined {
    const defined = this.#defined.get(name);
    if (defined !== undefined) return defined;
    const schema = Object.hasOwn(this.pool, name) ? this.pool[name] : undefined;
    return schema === undefined ? undefined : this.of(schema);
  }

  /**
   * The member of this view alone that `make` makes of the member `name`, under a name of its own with `suffix`; `name`
   * where nothing changes. Where making it leads back here it has its name already.
   */
  define(name: string, suffix: string, make: (member: JsonSchema) => JsonSchema): string {
    const own = this.#freeName(name + suffix);
    const member = this.member(name);
    if (member === undefined) return name;
    if (!this.#defined.has(own)) {
      this.#defined.set(own, true);
      this.#defined.set(own, make(member));
    }
    return this.#defined.get(own) === member ? name : own;
  }

  #freeName(wish: string): string {
    return Object.hasOwn(this.pool, wish) ? this.#freeName(`${wish}_`) : wish;
  }

  /**
   * The pool members that rewritten `schemas` reach, in order of discovery. `proceed` is asked with each one
   * and ends the search when it says no.
   */
  reach(
    schemas: Iterable<JsonSchema>,
    proceed: (name: string, schema: JsonSchema) => boolean = () => true,
  ): Map<string, JsonSchema> {
    const found = new Map<string, JsonSchema>();
    const open = [...schemas];
    // Grows while it is walked: `shift` would move the rest each time.
    for (const next of open) {
      for (const name of poolNamesIn(next)) {
        const member = found.has(name) ? undefined : this.member(name);
        if (member === undefined) continue;
        found.set(name, member);
        if (!proceed(name, member)) return found;
        open.push(member);
      }
    }
    return found;
  }
}

const namesBySchema = new WeakMap<JsonSchemaObject, readonly string[]>();

/** The pool members a schema names, at any depth. */
function poolNamesIn(schema: JsonSchema): readonly string[] {
  if (typeof schema === 'boolean') return [];
  let names = namesBySchema.get(schema);
  if (names === undefined) {
    names = [...refsIn(schema)].map(refName).filter((name) => name !== undefined);
    namesBySchema.set(schema, names);
  }
  return names;
}

/** Follows `$ref`s that stand alone until something else stands there; `undefined` for a circle or a dangling one. */
export function resolveAlone(schema: JsonSchema, view: SchemaView): JsonSchema | undefined {
  const seen = new Set<unknown>();
  let current: JsonSchema | undefined = schema;
  while (typeof current === 'object' && current.$ref !== undefined && Object.keys(current).length === 1) {
    if (seen.has(current.$ref)) return undefined;
    seen.add(current.$ref);
    current = view.target(current.$ref);
  }
  return current;
}

/** The schema with what its `$ref` names in its place; what stands beside the reference says more of it, and wins. */
export function writtenOut(schema: JsonSchema, view: SchemaView): JsonSchema {
  const seen = new Set<unknown>();
  let current = schema;
  while (typeof current === 'object' && current.$ref !== undefined) {
    const { $ref, ...beside } = current;
    const target = seen.has($ref) ? undefined : view.target($ref);
    if (target === undefined) break;
    seen.add($ref);
    current = typeof target === 'object' ? { ...target, ...beside } : target;
  }
  return current;
}

/** Schemas that one is written out as, at most. A document of a few lines can ask for billions. */
export const MOST_COPIES = 10_000;

const sizes = new WeakMap<JsonSchemaObject, number>();

/** Schemas in a schema when each is written where it is used; shared ones are counted each time, and looked at once. */
export function treeSize(schema: JsonSchema): number {
  if (typeof schema === 'boolean') return 1;
  let size = sizes.get(schema);
  if (size === undefined) {
    let total = 1;
    sizes.set(schema, total);
    eachSubschema(schema, (subschema) => {
      total += treeSize(subschema);
    });
    sizes.set(schema, (size = total));
  }
  return size;
}
