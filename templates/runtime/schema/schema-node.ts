// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** One subschema of an indexed document, and the closure that evaluates it once it is compiled. */
import type { JsonSchema } from '../contract/json-schema.ts';
import type { Dialect } from './schema-set.ts';
import type { Check } from './run.ts';

/** A schema with its own URI (JSON Schema Core, section 4.3.5). */
export interface Resource {
  /** Absolute, without fragment. */
  readonly uri: string;
  readonly root: SchemaNode;
  readonly dialect: Dialect;
  /** `$anchor` and `$dynamicAnchor`. */
  readonly anchors: Map<string, SchemaNode>;
  readonly dynamicAnchors: Map<string, SchemaNode>;
  /** Prefix of schema paths: empty in the document that was asked for. */
  readonly documentUri: string;
}

/** Makes the closure of a node; `tracked` ones report which members they evaluated. */
export type Compile = (node: SchemaNode, tracked: boolean) => Check;

export class SchemaNode {
  readonly schema: JsonSchema;
  readonly parent: SchemaNode | undefined;
  /** JSON Pointer from the parent: `/properties/name`. */
  readonly step: string;
  readonly resource: Resource;
  /** Compiles the node at its first use, then is the compiled closure. */
  check: Check;
  /** As `check`, but adds the members it evaluated to `run.evaluated`. */
  checkTracked: Check;

  constructor(
    schema: JsonSchema,
    place: { parent?: SchemaNode; step: string },
    compile: Compile,
    resource: Resource | ((node: SchemaNode) => Resource),
  ) {
    this.schema = schema;
    this.parent = place.parent;
    this.step = place.step;
    this.resource = typeof resource === 'function' ? resource(this) : resource;
    this.check = (value, run) => (this.check = compile(this, false))(value, run);
    this.checkTracked = (value, run) => (this.checkTracked = compile(this, true))(value, run);
  }

  /** The node's place as a URI with a JSON Pointer fragment; `#/…` in the document that was asked for. */
  get path(): string {
    const steps = [this.step];
    for (let node = this.parent; node !== undefined; node = node.parent) steps.push(node.step);
    return `${this.resource.documentUri}#${steps.reverse().join('')}`;
  }
}
