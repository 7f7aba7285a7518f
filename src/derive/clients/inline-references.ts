import type {
  JsonSchema,
  JsonSchemaObject,
  ObjectSchema,
} from '../../../templates/runtime/contract/json-schema.ts';
import { asSchemaObject, mapSubschemas, definitionNameOf } from '../../model/schema-walk.ts';

/** Most schemas that inlining may make of one tool; a tool with more keeps its references. */
const MOST_SCHEMAS = 2_000;

/** Writes each `$ref` as its target. References of a circle stay, with their definitions. */
export function inlineReferences(schema: ObjectSchema): ObjectSchema {
  const { $defs = {}, ...top } = schema;
  if (Object.keys($defs).length === 0 || schema.$id !== undefined) return schema;
  const inlining = new Inlining($defs);
  const inlined = inlining.inlineIn(top, []);
  if (inlining.count > MOST_SCHEMAS) return schema;
  if (!inlining.hasCircle) return inlined as ObjectSchema;
  return { ...inlined, type: 'object', $defs };
}

class Inlining {
  count = 0;
  hasCircle = false;
  readonly #defs: Record<string, JsonSchema>;

  constructor(defs: Record<string, JsonSchema>) {
    this.#defs = defs;
  }

  /** `open` are the names whose targets contain this schema. */
  inlineIn(schema: JsonSchemaObject, open: readonly string[]): JsonSchemaObject {
    this.count += 1;
    if (this.count > MOST_SCHEMAS) return schema;
    const { $ref, ...beside } = mapSubschemas(schema, (inner) =>
      typeof inner === 'boolean' ? inner : this.inlineIn(inner, open),
    );
    if ($ref === undefined) return beside;
    const name = definitionNameOf($ref);
    if (name === undefined || open.includes(name) || !Object.hasOwn(this.#defs, name)) {
      this.hasCircle = true;
      return { $ref, ...beside };
    }
    const target = this.inlineIn(asSchemaObject(this.#defs[name] ?? true), [...open, name]);
    return Object.keys(beside).every((keyword) => WORDS.has(keyword))
      ? { ...target, ...beside }
      : { ...beside, allOf: [target, ...(beside.allOf ?? [])] };
  }
}

/** Keywords beside a `$ref` that replace those of its target; all others hold together with the target's. */
const WORDS = new Set(['title', 'description', 'default', 'examples', 'deprecated']);
