/** Moves `$defs` of a `@schema` in a tool's schema, where `#/$defs` are the types of the program. */
import type { JsonSchema, JsonSchemaObject } from '../../../../templates/runtime/contract/json-schema.ts';
import { getOwnMember } from '../../../../templates/runtime/contract/json-value.ts';
import { mapSubschemas, reachedDefinitions, definitionNameOf } from '../../../model/schema-walk.ts';
import type { Described } from './definitions.ts';
import type { Direction, NotedSchema } from './form.ts';

/**
 * Returns recursive definitions, which join the types of the program. `tops` are schemas of whole tools; `wishOf`
 * turns a given name into a preferred one.
 */
export function resolveOwnDefinitions(
  noted: readonly NotedSchema[],
  tops: ReadonlySet<JsonSchemaObject>,
  direction: Direction,
  wishOf: (name: string) => string,
): Described[] {
  return noted.flatMap((notedSchema) => {
    const { schema } = notedSchema;
    const { $defs, ...ownSchema } = notedSchema.original;
    if (tops.has(schema) || $defs === undefined || ownSchema.$id !== undefined) return [];
    const ownDefinitions = new OwnDefinitions($defs, direction, wishOf);
    const resolved = ownDefinitions.inlineDefinitions(ownSchema);
    if (typeof resolved !== 'object') return [];
    // Keywords from other tags win.
    for (const [keyword, value] of Object.entries(notedSchema.original))
      if (schema[keyword] === value) Reflect.deleteProperty(schema, keyword);
    Object.assign(schema, { ...resolved, ...schema });
    ownDefinitions.addCopyOfReference(schema, resolved);
    notedSchema.original = resolved;
    return ownDefinitions.found;
  });
}

class OwnDefinitions {
  readonly #definitions: Record<string, JsonSchema>;
  readonly #direction: Direction;
  readonly #wishOf: (name: string) => string;
  readonly #described = new Map<string, Described>();

  constructor(
    definitions: Record<string, JsonSchema>,
    direction: Direction,
    wishOf: (name: string) => string,
  ) {
    this.#definitions = definitions;
    this.#direction = direction;
    this.#wishOf = wishOf;
  }

  get found(): Described[] {
    return [...this.#described.values()];
  }

  inlineDefinitions(schema: JsonSchema): JsonSchema {
    if (typeof schema === 'boolean') return schema;
    const mapped = mapSubschemas(schema, (inner, keyword) =>
      keyword === '$defs' ? inner : this.inlineDefinitions(inner),
    );
    const name = definitionNameOf(mapped.$ref);
    const target =
      name === undefined ? undefined : (getOwnMember(this.#definitions, name) as JsonSchema | undefined);
    if (name === undefined || target === undefined) return mapped;
    if (this.#isRecursive(name, target)) return this.#makeReference(name, target, { ...mapped });
    const put = this.inlineDefinitions(target);
    const members = { ...mapped };
    delete members.$ref;
    return Object.keys(members).length === 0 ? put : { ...members, allOf: [...(members.allOf ?? []), put] };
  }

  /** A copy of a reference is a reference too. */
  addCopyOfReference(copy: JsonSchemaObject, original: JsonSchemaObject): void {
    for (const { references } of this.#described.values())
      if (references.includes(original)) references.push(copy);
  }

  #isRecursive(name: string, target: JsonSchema): boolean {
    return Object.hasOwn(reachedDefinitions(target, this.#definitions), name);
  }

  #makeReference(name: string, target: JsonSchema, reference: JsonSchemaObject): JsonSchemaObject {
    const known = this.#described.get(name);
    const definition = known ?? this.#makeDefinition(name);
    definition.references.push(reference);
    const schema = known === undefined ? this.inlineDefinitions(target) : undefined;
    if (typeof schema === 'object') definition.form = { schema };
    return reference;
  }

  #makeDefinition(name: string): Described {
    const definition: Described = {
      type: this.#definitions,
      wish: this.#wishOf(name),
      symbol: undefined,
      direction: this.#direction,
      references: [],
      codecReferences: [],
    };
    this.#described.set(name, definition);
    return definition;
  }
}
