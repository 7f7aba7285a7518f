/**
 * Finds the properties that belong to the other direction: `readOnly` ones are not sent, `writeOnly` ones are not
 * answered. The schema and all subschemas for the same object are searched.
 */
import type { JsonSchema, JsonSchemaObject } from '../../../templates/runtime/contract/json-schema.ts';
import { isSchemaObject, refName } from '../../model/schema-walk.ts';

export type DirectionFlag = 'readOnly' | 'writeOnly';

export interface Flagged {
  always: ReadonlySet<string>;
  /** The name is flagged for some values, so no caller can be asked for it. */
  isGone: (name: string) => boolean;
  isEmpty: boolean;
}

const nothing: Flagged = { always: new Set(), isGone: () => false, isEmpty: true };

export class FlaggedNames {
  readonly #pool: Readonly<Record<string, JsonSchema>>;
  readonly #flag: DirectionFlag;
  readonly #named = new Map<JsonSchemaObject, readonly string[]>();
  readonly #referring = new Map<JsonSchemaObject, boolean>();

  constructor(pool: Readonly<Record<string, JsonSchema>>, flag: DirectionFlag) {
    this.#pool = pool;
    this.#flag = flag;
  }

  of(schema: JsonSchema): Flagged {
    if (isSchemaObject(schema) && this.#isPlain(schema)) return nothing;
    const parts = this.parts(schema);
    const sometimes = this.#namesIn(parts);
    const hidden = [...parts].some((part) => this.#hidesNames(part));
    if (sometimes.size === 0 && !hidden) return nothing;
    const always = sometimes.size === 0 ? sometimes : this.#namesIn(this.#collect(schema, false));
    // The document's patterns are not run; a name without a schema may match one.
    const isGone = (name: string): boolean => sometimes.has(name) || (hidden && !isNamed(name, parts));
    return { always, isGone, isEmpty: false };
  }

  isFlagged(property: unknown): boolean {
    if (!isSchemaObject(property)) return false;
    if (property[this.#flag] === true) return true;
    if (property.$ref === undefined && property.allOf === undefined) return false;
    const known = this.#referring.get(property);
    if (known !== undefined) return known;
    // A recursive reference is not flagged until another part is.
    this.#referring.set(property, false);
    const flagged = [this.target(property.$ref), ...(property.allOf ?? [])].some((part) =>
      this.isFlagged(part),
    );
    this.#referring.set(property, flagged);
    return flagged;
  }

  parts(schema: JsonSchema): ReadonlySet<JsonSchemaObject> {
    return this.#collect(schema, true);
  }

  target($ref: unknown): JsonSchema | undefined {
    const name = refName($ref);
    return name !== undefined && Object.hasOwn(this.#pool, name) ? this.#pool[name] : undefined;
  }

  #isPlain(schema: JsonSchemaObject): boolean {
    return (
      schema.$ref === undefined &&
      schema.allOf === undefined &&
      listObjectBranches(schema).length === 0 &&
      this.#namesOf(schema).length === 0 &&
      !this.#hidesNames(schema)
    );
  }

  #collect(schema: unknown, branches: boolean, parts = new Set<JsonSchemaObject>()): Set<JsonSchemaObject> {
    if (!isSchemaObject(schema) || parts.has(schema)) return parts;
    parts.add(schema);
    if (schema.$ref !== undefined) this.#collect(this.target(schema.$ref), branches, parts);
    if (Array.isArray(schema.allOf))
      for (const member of schema.allOf) this.#collect(member, branches, parts);
    if (branches) for (const branch of listObjectBranches(schema)) this.#collect(branch, true, parts);
    return parts;
  }

  #namesIn(parts: Iterable<JsonSchemaObject>): ReadonlySet<string> {
    const names = new Set<string>();
    for (const part of parts) for (const name of this.#namesOf(part)) names.add(name);
    return names;
  }

  #namesOf(part: JsonSchemaObject): readonly string[] {
    const { properties } = part;
    if (properties === undefined) return [];
    let names = this.#named.get(part);
    if (names === undefined) {
      names = Object.keys(properties).filter((name) => this.isFlagged(properties[name]));
      this.#named.set(part, names);
    }
    return names;
  }

  /** Whether properties that match no name are flagged. */
  #hidesNames({ patternProperties, additionalProperties }: JsonSchemaObject): boolean {
    if (this.isFlagged(additionalProperties)) return true;
    return (
      patternProperties !== undefined && Object.values(patternProperties).some((each) => this.isFlagged(each))
    );
  }
}

/** Subschemas that apply to the same object, but only to some of its values. */
function listObjectBranches({
  anyOf,
  oneOf,
  then,
  else: otherwise,
  dependentSchemas,
}: JsonSchemaObject): unknown[] {
  if ((anyOf ?? oneOf ?? then ?? otherwise ?? dependentSchemas) === undefined) return none;
  return [...(anyOf ?? none), ...(oneOf ?? none), then, otherwise, ...Object.values(dependentSchemas ?? {})];
}

const none: [] = [];

function isNamed(name: string, parts: Iterable<JsonSchemaObject>): boolean {
  for (const { properties } of parts) {
    if (properties !== undefined && Object.hasOwn(properties, name)) return true;
  }
  return false;
}
