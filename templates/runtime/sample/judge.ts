/** The validator, asked about subschemas of one document; nothing is indexed before the first question. */
import { compileNode } from '../schema/compile-schema.ts';
import type { JsonSchema, JsonSchemaObject } from '../contract/json-schema.ts';
import { defaultLimits, Halt, Run } from '../schema/run.ts';
import { assertNoLoops, SchemaSet } from '../schema/schema-set.ts';

export class Judge {
  readonly #root: JsonSchema;
  #set: SchemaSet | undefined;

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  /** Whether a value is valid against every one of the schemas, which stand in the root. */
  holds(schemas: readonly JsonSchema[], value: unknown): boolean {
    try {
      return schemas.every((schema) => this.#node(schema).check(value, new Run(defaultLimits)));
    } catch (error) {
      if (error instanceof Halt || error instanceof RangeError) return false;
      throw error;
    }
  }

  /** The schema that a reference in the root leads to. */
  readonly follow = (schema: JsonSchemaObject, keyword: '$ref' | '$dynamicRef'): JsonSchema => {
    const name = keyword === '$ref' ? /^#\/\$defs\/([^/~%]+)$/.exec(schema.$ref ?? '')?.[1] : undefined;
    const { $defs, $id } = this.#root as JsonSchemaObject;
    if (name !== undefined && $id === undefined && $defs !== undefined && Object.hasOwn($defs, name)) {
      return $defs[name] ?? true;
    }
    return this.#schemas.target(this.#node(schema), keyword)?.node.schema ?? true;
  };

  #node(schema: JsonSchema): ReturnType<SchemaSet['node']> {
    const set = this.#schemas;
    return set.node(schema, set.root, '');
  }

  get #schemas(): SchemaSet {
    if (this.#set !== undefined) return this.#set;
    const set: SchemaSet = new SchemaSet(this.#root, {}, (node, tracked) =>
      compileNode(node, tracked, { set, formats: {} }),
    );
    assertNoLoops(set);
    return (this.#set = set);
  }
}
