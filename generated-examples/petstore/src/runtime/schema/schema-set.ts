// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * All the schemas one validator can reach, indexed: every subschema, every `$id` and anchor, every `$ref`
 * followed to its target. Walks with a stack of its own, so no nesting can exhaust the real one.
 */
import {
  type JsonSchema,
  type JsonSchemaObject,
  type Subschema,
  escapeToken,
  isSchema,
  subschemaAt,
  subschemaList,
  subschemaMap,
  listSubschemas,
} from '../contract/json-schema.ts';
import { isRecord, member } from '../contract/json-value.ts';
import type { Check } from './run.ts';

/** Base of a document without `$id`; relative references resolve against it and nothing is ever fetched. */
const namelessBase = 'json-schema:///';

/** The target of a reference. */
interface Target {
  node: SchemaNode;
  /** Set when a `$dynamicRef` is to look for this `$dynamicAnchor` in the dynamic scope. */
  dynamicAnchor?: string;
}

export class SchemaSet {
  readonly root: SchemaNode;
  /** Whether the dynamic scope must be kept. Known once the constructor is done. */
  usesDynamicRef = false;
  readonly #compile: Compile;
  readonly #external: Map<string, JsonSchema>;
  readonly #nodes = new Map<object, SchemaNode>();
  readonly #resources = new Map<string, Resource>();
  readonly #unlinked: SchemaNode[] = [];
  readonly #targets = new Map<SchemaNode, Partial<Record<'$ref' | '$dynamicRef', Target>>>();

  /** @throws SchemaDefect when the schema, or one it refers to, cannot be used. */
  constructor(schema: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>, compile: Compile) {
    this.#compile = compile;
    this.#external = new Map(Object.entries(schemas).map(([uri, document]) => [bare(uri), document]));
    this.root = this.#addDocument(schema, namelessBase, '');
    for (let node = this.#unlinked.pop(); node !== undefined; node = this.#unlinked.pop()) this.#link(node);
  }

  /** The subschema at `step` of `parent`. */
  node(schema: JsonSchema, parent: SchemaNode, step: string): SchemaNode {
    const known = typeof schema === 'object' ? this.#nodes.get(schema) : undefined;
    return known ?? new SchemaNode(schema, { parent, step }, this.#compile, parent.resource);
  }

  target(node: SchemaNode, keyword: '$ref' | '$dynamicRef'): Target | undefined {
    return this.#targets.get(node)?.[keyword];
  }

  /** Nodes that hold a reference. */
  referrers(): Iterable<SchemaNode> {
    return this.#targets.keys();
  }

  #addDocument(schema: JsonSchema, uri: string, documentUri: string): SchemaNode {
    const origin: Origin = { uri, dialect: dialect2020, documentUri };
    const root = this.#addNode({ schema, step: '', origin });
    if (!this.#resources.has(uri)) this.#resources.set(uri, root.resource);
    this.#walk(root);
    return root;
  }

  /** Adds everything below a node. */
  #walk(start: SchemaNode): void {
    const open = [start];
    for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
      if (typeof parent.schema === 'boolean') continue;
      for (const { schema, step } of listSubschemas(parent.schema)) {
        if (typeof schema === 'boolean' || this.#nodes.has(schema)) continue;
        open.push(this.#addNode({ schema, step, parent }));
      }
    }
  }

  #addNode(place: Place): SchemaNode {
    const { schema } = place;
    const node = new SchemaNode(schema, place, this.#compile, (self) => this.#resourceOf(self, place));
    if (typeof schema === 'boolean') return node;
    this.#nodes.set(schema, node);
    this.#addAnchors(node, schema);
    if (typeof schema.$ref === 'string' || typeof schema.$dynamicRef === 'string') this.#unlinked.push(node);
    return node;
  }

  /** The parent's resource, or a new one when the schema has an `$id`. */
  #resourceOf(root: SchemaNode, place: Place): Resource {
    const { schema, parent, origin } = place;
    const outer = origin ?? place.parent.resource;
    const id = typeof schema === 'object' && typeof schema.$id === 'string' ? schema.$id : '';
    const dialect = this.#dialectOf(place, outer.dialect);
    const uri = id === '' ? outer.uri : bare(resolveUri(id, outer.uri, formatPlace(place)));
    if (parent !== undefined && uri === parent.resource.uri) return parent.resource;
    const { documentUri } = outer;
    const resource = { uri, root, dialect, anchors: new Map(), dynamicAnchors: new Map(), documentUri };
    if (!this.#resources.has(uri)) this.#resources.set(uri, resource);
    return resource;
  }

  #dialectOf(place: Place, outer: Dialect): Dialect {
    const uri = isRecord(place.schema) ? place.schema.$schema : undefined;
    if (typeof uri !== 'string') return outer;
    if (is2020(uri)) return dialect2020;
    const meta = URL.canParse(uri) ? this.#external.get(bare(uri)) : undefined;
    const dialect = readDialect(meta);
    if (dialect !== undefined) return dialect;
    throw new SchemaDefect(
      `\`$schema\` is ${uri}, but only JSON Schema 2020-12 is understood`,
      `${formatPlace(place)}/$schema`,
    );
  }

  #addAnchors({ resource }: SchemaNode, schema: JsonSchemaObject): void {
    const node = this.#nodes.get(schema);
    if (node === undefined) return;
    const { $anchor, $dynamicAnchor } = schema;
    if (typeof $anchor === 'string') addOnce(resource.anchors, $anchor, node);
    if (typeof $dynamicAnchor !== 'string') return;
    addOnce(resource.anchors, $dynamicAnchor, node);
    addOnce(resource.dynamicAnchors, $dynamicAnchor, node);
  }

  #link(node: SchemaNode): void {
    if (typeof node.schema === 'boolean') return;
    const { $ref, $dynamicRef } = node.schema;
    const targets: Partial<Record<'$ref' | '$dynamicRef', Target>> = {};
    if (typeof $ref === 'string') targets.$ref = { node: this.#resolve($ref, node, '$ref').node };
    if (typeof $dynamicRef === 'string') {
      targets.$dynamicRef = this.#resolve($dynamicRef, node, '$dynamicRef');
      this.usesDynamicRef = true;
    }
    this.#targets.set(node, targets);
  }

  #resolve(reference: string, from: SchemaNode, keyword: string): Target {
    const hash = reference.indexOf('#');
    const uri = hash === -1 ? reference : reference.slice(0, hash);
    const fragment = hash === -1 ? '' : decodeFragment(reference.slice(hash + 1));
    const resource =
      uri === '' ? from.resource : this.#find(bare(resolveUri(uri, from.resource.uri, from.path)));
    const node = resource && this.#locate(resource, fragment);
    if (resource === undefined || node === undefined) {
      throw new SchemaDefect(`\`${keyword}\` leads nowhere: ${reference}`, `${from.path}/${keyword}`);
    }
    const bookend = resource.dynamicAnchors.get(fragment) === node;
    return bookend && fragment !== '' ? { node, dynamicAnchor: fragment } : { node };
  }

  #find(uri: string): Resource | undefined {
    const known = this.#resources.get(uri);
    const document = this.#external.get(uri);
    if (known !== undefined || document === undefined) return known;
    this.#addDocument(document, uri, uri);
    return this.#resources.get(uri);
  }

  #locate(resource: Resource, fragment: string): SchemaNode | undefined {
    if (fragment === '') return resource.root;
    return fragment.startsWith('/') ? this.#follow(resource.root, fragment) : resource.anchors.get(fragment);
  }

  /** Follows a JSON Pointer, also through keywords that hold no schemas (`#/definitions/…`). */
  #follow(root: SchemaNode, pointer: string): SchemaNode | undefined {
    let owner = root;
    let step = '';
    let value: unknown = root.schema;
    for (const token of pointer.slice(1).split('/').map(unescapeToken)) {
      if (Array.isArray(value))
        value = /^(0|[1-9]\d*)$/.test(token) ? (value[Number(token)] as unknown) : undefined;
      else value = isRecord(value) ? member(value, token) : undefined;
      step += `/${escapeToken(token)}`;
      const known = isRecord(value) ? this.#nodes.get(value) : undefined;
      if (known !== undefined) [owner, step] = [known, ''];
    }
    if (step === '') return owner;
    return isSchema(value) ? this.#adopt(value, owner, step) : undefined;
  }

  /** Adds a schema at a place that only a reference makes a schema. */
  #adopt(schema: JsonSchema, parent: SchemaNode, step: string): SchemaNode {
    const node = this.#addNode({ schema, step, parent });
    this.#walk(node);
    return node;
  }
}

/** A document's root has this resource in place of a parent's. */
type Origin = Pick<Resource, 'uri' | 'dialect' | 'documentUri'>;

type Place = { schema: JsonSchema; step: string } & (
  { parent: SchemaNode; origin?: never } | { parent?: never; origin: Origin }
);

function formatPlace({ parent, step }: Place): string {
  return `${parent?.path ?? '#'}${step}`;
}

function addOnce(anchors: Map<string, SchemaNode>, name: string, node: SchemaNode): void {
  if (!anchors.has(name)) anchors.set(name, node);
}

/** A URI in its normal form, without its fragment. */
function bare(uri: string): string {
  const hash = uri.indexOf('#');
  const absolute = hash === -1 ? uri : uri.slice(0, hash);
  return URL.canParse(absolute) ? new URL(absolute).href : absolute;
}

function resolveUri(reference: string, base: string, at: string): string {
  if (URL.canParse(reference, base)) return new URL(reference, base).href;
  throw new SchemaDefect(`${reference} is not a URI reference`, at);
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function unescapeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Dialect: the keywords that a schema's `$schema` puts in force (JSON Schema Core, section 8.1). */
interface Dialect {
  applicator: boolean;
  unevaluated: boolean;
  validation: boolean;
}

const dialect2020: Dialect = { applicator: true, unevaluated: true, validation: true };

const metaSchema = 'https://json-schema.org/draft/2020-12/schema';
const vocabularyPrefix = 'https://json-schema.org/draft/2020-12/vocab/';
const knownVocabularies = new Set(
  ['core', 'applicator', 'unevaluated', 'validation', 'meta-data', 'format-annotation', 'content'].map(
    (name) => vocabularyPrefix + name,
  ),
);

/** Whether this is the URI of JSON Schema 2020-12 itself. */
function is2020(uri: string): boolean {
  return uri === metaSchema || uri === `${metaSchema}#`;
}

/**
 * Reads the dialect a meta-schema describes; undefined when it builds on another draft, or demands a
 * vocabulary that is unknown here.
 */
function readDialect(meta: unknown): Dialect | undefined {
  if (!isRecord(meta) || typeof meta.$schema !== 'string' || !is2020(meta.$schema)) return undefined;
  const vocabulary = meta.$vocabulary;
  if (!isRecord(vocabulary)) return dialect2020;
  const required = Object.keys(vocabulary).filter((uri) => vocabulary[uri] === true);
  if (!required.every((uri) => knownVocabularies.has(uri))) return undefined;
  const has = (name: string): boolean => Object.hasOwn(vocabulary, vocabularyPrefix + name);
  return { applicator: has('applicator'), unevaluated: has('unevaluated'), validation: has('validation') };
}

/**
 * Finds `$ref`s that lead back to themselves without a step into the value: evaluating one would never end (Core,
 * section 9.4.1). A recursion through `properties` or `items` is fine and not looked at.
 *
 * @throws SchemaDefect at the first loop.
 */
export function assertNoLoops(set: SchemaSet): void {
  const done = new Set<SchemaNode>();
  for (const node of set.referrers()) follow(node, set, done);
}

/** Depth first with an explicit stack; a node met again while it is still open closes a loop. */
function follow(start: SchemaNode, set: SchemaSet, done: Set<SchemaNode>): void {
  if (done.has(start)) return;
  const open = new Set([start]);
  const stack = [{ node: start, next: inPlace(start, set) }];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const node = top.next.pop();
    if (node === undefined) {
      stack.pop();
      open.delete(top.node);
      done.add(top.node);
    } else if (open.has(node)) {
      throw new SchemaDefect('`$ref` leads back to itself without a step into the value', node.path);
    } else if (!done.has(node)) {
      open.add(node);
      stack.push({ node, next: inPlace(node, set) });
    }
  }
}

/** Nodes that are applied to the same value as `node` (Core, section 10.2, and references). */
function inPlace(node: SchemaNode, set: SchemaSet): SchemaNode[] {
  const { schema } = node;
  if (typeof schema === 'boolean') return [];
  const found: Subschema[] = [
    ...['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => subschemaList(schema, keyword)),
    ...['not', 'if', 'then', 'else'].flatMap((keyword) => subschemaAt(schema, keyword)),
    ...subschemaMap(schema, 'dependentSchemas').map(({ entry }) => entry),
  ];
  const target = set.target(node, '$ref');
  const nodes = found.map(({ schema: child, step }) => set.node(child, node, step));
  return target === undefined ? nodes : [...nodes, target.node];
}

/** The schema itself cannot be used: another dialect, a `$ref` to nowhere, a `$ref` that only leads to itself. */
export class SchemaDefect extends Error {
  override readonly name = 'SchemaDefect';
  /** The place in the schema as a URI fragment: `#/properties/a/$ref`. */
  readonly schemaPath: string;

  constructor(message: string, schemaPath: string) {
    super(`${message} (at ${schemaPath})`);
    this.schemaPath = schemaPath;
  }
}

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
type Compile = (node: SchemaNode, tracked: boolean) => Check;

/** One subschema of an indexed document, and the closure that evaluates it once it is compiled. */
export class SchemaNode {
  readonly schema: JsonSchema;
  readonly parent: SchemaNode | undefined;
  /** JSON Pointer from the parent: `/properties/name`. */
  readonly step: string;
  readonly resource: Resource;
  /** Compiles the node at its first use, then is the compiled closure. */
  check: Check;
  /** Does the same as `check`, and adds the evaluated members to `run.evaluated`. */
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
