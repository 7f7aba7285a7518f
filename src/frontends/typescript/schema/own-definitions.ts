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
  return noted.flatMap((each) => {
    const { schema } = each;
    const { $defs, ...given } = each.given;
    if (tops.has(schema) || $defs === undefined || given.$id !== undefined) return [];
    const own = new OwnDefinitions($defs, direction, wishOf);
    const resolved = own.inlineDefinitions(given);
    if (typeof resolved !== 'object') return [];
    // Keywords from other tags win.
    for (const [keyword, value] of Object.entries(each.given))
      if (schema[keyword] === value) Reflect.deleteProperty(schema, keyword);
    Object.assign(schema, { ...resolved, ...schema });
    own.addCopyOfReference(schema, resolved);
    each.given = resolved;
    return own.found;
  });
}

class OwnDefinitions {
  readonly #given: Record<string, JsonSchema>;
  readonly #direction: Direction;
  readonly #wishOf: (name: string) => string;
  readonly #found = new Map<string, Described>();

  constructor(given: Record<string, JsonSchema>, direction: Direction, wishOf: (name: string) => string) {
    this.#given = given;
    this.#direction = direction;
    this.#wishOf = wishOf;
  }

  get found(): Described[] {
    return [...this.#found.values()];
  }

  inlineDefinitions(given: JsonSchema): JsonSchema {
    if (typeof given === 'boolean') return given;
    const mapped = mapSubschemas(given, (inner, keyword) =>
      keyword === '$defs' ? inner : this.inlineDefinitions(inner),
    );
    const name = definitionNameOf(mapped.$ref);
    const target =
      name === undefined ? undefined : (getOwnMember(this.#given, name) as JsonSchema | undefined);
    if (name === undefined || target === undefined) return mapped;
    if (this.#isRecursive(name, target)) return this.#makeReference(name, target, { ...mapped });
    const put = this.inlineDefinitions(target);
    const others = { ...mapped };
    delete others.$ref;
    return Object.keys(others).length === 0 ? put : { ...others, allOf: [...(others.allOf ?? []), put] };
  }

  /** A copy of a reference is a reference too. */
  addCopyOfReference(copy: JsonSchemaObject, original: JsonSchemaObject): void {
    for (const { references } of this.#found.values())
      if (references.includes(original)) references.push(copy);
  }

  #isRecursive(name: string, target: JsonSchema): boolean {
    return Object.hasOwn(reachedDefinitions(target, this.#given), name);
  }

  #makeReference(name: string, target: JsonSchema, reference: JsonSchemaObject): JsonSchemaObject {
    const known = this.#found.get(name);
    const definition = known ?? this.#makeDefinition(name);
    definition.references.push(reference);
    const schema = known === undefined ? this.inlineDefinitions(target) : undefined;
    if (typeof schema === 'object') definition.form = { schema };
    return reference;
  }

  #makeDefinition(name: string): Described {
    const definition: Described = {
      type: this.#given,
      wish: this.#wishOf(name),
      symbol: undefined,
      direction: this.#direction,
      references: [],
      codecReferences: [],
    };
    this.#found.set(name, definition);
    return definition;
  }
}
