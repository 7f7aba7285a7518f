// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Indexes all the schemas one validator can reach: every subschema, `$id` and anchor, every `$ref` followed to its
 * target. Walks with a stack of its own, so no nesting can exhaust the real one.
 */
import {
  type JsonSchema,
  type JsonSchemaObject,
  type Subschema,
  escapePointerToken,
  unescapePointerToken,
  isSchema,
  listSubschemas,
  listKeywordSubschema,
  listSubschemasInList,
  listNamedSubschemas,
} from '../contract/json-schema.ts';
import { isRecord, getOwnMember } from '../contract/json-value.ts';
import type { Check } from './run.ts';

/** Relative references resolve against this base in a document without `$id`. */
const namelessBase = 'json-schema:///';

export class SchemaSet {
  readonly root: SchemaNode;
  usesDynamicRef = false;
  readonly compile: Compile;
  readonly #external: Map<string, JsonSchema>;
  readonly #nodes = new Map<object, SchemaNode>();
  readonly #resources = new Map<string, Resource>();
  readonly #referrers: SchemaNode[] = [];

  constructor(schema: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>, compile: Compile) {
    this.compile = compile;
    this.#external = new Map(
      Object.entries(schemas).map(([uri, document]) => [withoutFragment(uri), document]),
    );
    this.root = this.#addDocument(schema, namelessBase, '');
    // Linking may add documents, and so referrers.
    for (const node of this.#referrers) this.#linkReferences(node);
    assertNoLoops(this.#referrers);
  }

  node(place: Subschema, parent: SchemaNode): SchemaNode {
    const known = typeof place.schema === 'object' ? this.#nodes.get(place.schema) : undefined;
    return known ?? new SchemaNode(this, place, parent.resource, parent);
  }

  #addDocument(schema: JsonSchema, uri: string, documentUri: string): SchemaNode {
    const root = this.#addNode({ schema, step: '' }, { uri, dialect: dialect2020, documentUri });
    if (!this.#resources.has(uri)) this.#resources.set(uri, root.resource);
    this.#addDescendants(root);
    return root;
  }

  #addDescendants(start: SchemaNode): void {
    const open = [start];
    for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
      for (const place of listSubschemas(parent.keywords)) {
        if (typeof place.schema === 'boolean' || this.#nodes.has(place.schema)) continue;
        open.push(this.#addNode(place, parent.resource, parent));
      }
    }
  }

  #addNode(place: Subschema, outer: Origin, parent?: SchemaNode): SchemaNode {
    const { schema } = place;
    const resource = this.#findOrAddResource(place, outer, parent);
    const node = new SchemaNode(this, place, resource, parent);
    resource.root ??= node;
    if (typeof schema === 'boolean') return node;
    this.#nodes.set(schema, node);
    setAnchorOnce(resource.anchors, schema.$anchor, node);
    setAnchorOnce(resource.anchors, schema.$dynamicAnchor, node);
    setAnchorOnce(resource.dynamicAnchors, schema.$dynamicAnchor, node);
    if (typeof schema.$ref === 'string' || typeof schema.$dynamicRef === 'string') this.#referrers.push(node);
    return node;
  }

  /** Returns the parent's resource, or a new one when the schema has an `$id`. */
  #findOrAddResource({ schema, step }: Subschema, outer: Origin, parent?: SchemaNode): Resource {
    const path = (): string => `${parent?.path ?? '#'}${step}`;
    const { $id, $schema }: JsonSchemaObject = typeof schema === 'object' ? schema : {};
    const dialect = typeof $schema === 'string' ? this.#readDialect($schema, path()) : outer.dialect;
    const hasId = typeof $id === 'string' && $id !== '';
    const uri = hasId ? withoutFragment(resolveUri($id, outer.uri, path())) : outer.uri;
    if (parent !== undefined && uri === parent.resource.uri) return parent.resource;
    const { documentUri } = outer;
    const resource: Resource = { uri, dialect, anchors: new Map(), dynamicAnchors: new Map(), documentUri };
    if (!this.#resources.has(uri)) this.#resources.set(uri, resource);
    return resource;
  }

  #readDialect(uri: string, path: string): Dialect {
    if (isDialect2020(uri)) return dialect2020;
    const dialect = parseDialect(URL.canParse(uri) ? this.#external.get(withoutFragment(uri)) : undefined);
    if (dialect !== undefined) return dialect;
    throw new SchemaDefect(
      `\`$schema\` is ${uri}, but only JSON Schema 2020-12 is understood`,
      `${path}/$schema`,
    );
  }

  #linkReferences(node: SchemaNode): void {
    const { $ref, $dynamicRef } = node.keywords;
    if (typeof $ref === 'string') node.ref = this.#resolveReference($ref, node, '$ref').node;
    if (typeof $dynamicRef !== 'string') return;
    node.dynamicRef = this.#resolveReference($dynamicRef, node, '$dynamicRef');
    this.usesDynamicRef = true;
  }

  #resolveReference(reference: string, from: SchemaNode, keyword: string): DynamicTarget {
    const [uri, fragment] = splitReference(reference);
    const resource =
      uri === ''
        ? from.resource
        : this.#findResource(withoutFragment(resolveUri(uri, from.resource.uri, from.path)));
    const node = resource && this.#findByFragment(resource, fragment);
    if (resource === undefined || node === undefined) {
      throw new SchemaDefect(`\`${keyword}\` leads nowhere: ${reference}`, `${from.path}/${keyword}`);
    }
    return resource.dynamicAnchors.get(fragment) === node ? { node, anchor: fragment } : { node };
  }

  #findResource(uri: string): Resource | undefined {
    const document = this.#external.get(uri);
    if (!this.#resources.has(uri) && document !== undefined) this.#addDocument(document, uri, uri);
    return this.#resources.get(uri);
  }

  #findByFragment({ root, anchors }: Resource, fragment: string): SchemaNode | undefined {
    if (fragment === '') return root;
    return fragment.startsWith('/') ? root && this.#followPointer(root, fragment) : anchors.get(fragment);
  }

  /** Follows a JSON Pointer, also through keywords that hold no schemas (`#/definitions/…`). */
  #followPointer(root: SchemaNode, pointer: string): SchemaNode | undefined {
    let owner = root;
    let step = '';
    let value: unknown = root.schema;
    for (const token of pointer.slice(1).split('/').map(unescapePointerToken)) {
      if (Array.isArray(value))
        value = /^(0|[1-9]\d*)$/.test(token) ? (value[Number(token)] as unknown) : undefined;
      else value = isRecord(value) ? getOwnMember(value, token) : undefined;
      step += `/${escapePointerToken(token)}`;
      const known = isRecord(value) ? this.#nodes.get(value) : undefined;
      if (known !== undefined) [owner, step] = [known, ''];
    }
    if (step === '') return owner;
    if (!isSchema(value)) return undefined;
    // Only the reference makes this place a schema.
    const node = this.#addNode({ schema: value, step }, owner.resource, owner);
    this.#addDescendants(node);
    return node;
  }
}

type Origin = Pick<Resource, 'uri' | 'dialect' | 'documentUri'>;

function setAnchorOnce(anchors: Map<string, SchemaNode>, name: unknown, node: SchemaNode): void {
  if (typeof name === 'string' && name !== '' && !anchors.has(name)) anchors.set(name, node);
}

function splitReference(reference: string): [uri: string, fragment: string] {
  const hash = reference.indexOf('#');
  if (hash === -1) return [reference, ''];
  const fragment = reference.slice(hash + 1);
  try {
    return [reference.slice(0, hash), decodeURIComponent(fragment)];
  } catch {
    return [reference.slice(0, hash), fragment];
  }
}

function withoutFragment(uri: string): string {
  const [absolute = uri] = uri.split('#', 1);
  return URL.canParse(absolute) ? new URL(absolute).href : absolute;
}

function resolveUri(reference: string, base: string, at: string): string {
  if (URL.canParse(reference, base)) return new URL(reference, base).href;
  throw new SchemaDefect(`${reference} is not a URI reference`, at);
}

/** The keywords that a schema's `$schema` puts in force (JSON Schema Core, section 8.1). */
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

function isDialect2020(uri: unknown): boolean {
  return uri === metaSchema || uri === `${metaSchema}#`;
}

/** Returns undefined for a meta-schema of another draft, or one that demands an unknown vocabulary. */
function parseDialect(meta: JsonSchema | undefined): Dialect | undefined {
  if (typeof meta !== 'object' || !isDialect2020(meta.$schema)) return undefined;
  const vocabulary = meta.$vocabulary;
  if (!isRecord(vocabulary)) return dialect2020;
  const required = Object.keys(vocabulary).filter((uri) => vocabulary[uri] === true);
  if (!required.every((uri) => knownVocabularies.has(uri))) return undefined;
  const hasVocabulary = (name: string): boolean => Object.hasOwn(vocabulary, vocabularyPrefix + name);
  return {
    applicator: hasVocabulary('applicator'),
    unevaluated: hasVocabulary('unevaluated'),
    validation: hasVocabulary('validation'),
  };
}

/**
 * Refuses `$ref`s that lead back to themselves without a step into the value: evaluating one would never end (Core,
 * section 9.4.1).
 */
function assertNoLoops(referrers: readonly SchemaNode[]): void {
  const done = new Set<SchemaNode>();
  for (const start of referrers) {
    if (done.has(start)) continue;
    const open = new Set([start]);
    const stack = [{ node: start, next: appliedNodes(start) }];
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
        stack.push({ node, next: appliedNodes(node) });
      }
    }
  }
}

/** Lists the nodes that are applied to the same value as `node` (Core, section 10.2, and references). */
function appliedNodes(node: SchemaNode): SchemaNode[] {
  const nodes = [
    ...['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => node.nodesInList(keyword)),
    ...['not', 'if', 'then', 'else'].map((keyword) => node.getSubnode(keyword)),
    ...node.map('dependentSchemas').map(([, child]) => child),
    node.ref,
  ];
  return nodes.filter((each) => each !== undefined);
}

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
  root?: SchemaNode;
  readonly dialect: Dialect;
  readonly anchors: Map<string, SchemaNode>;
  readonly dynamicAnchors: Map<string, SchemaNode>;
  /** Prefix of schema paths: empty in the document that was asked for. */
  readonly documentUri: string;
}

type Compile = (node: SchemaNode, tracked: boolean) => Check;

interface DynamicTarget {
  node: SchemaNode;
  /** The `$dynamicAnchor` to look for in the dynamic scope. */
  anchor?: string;
}

const noKeywords: JsonSchemaObject = {};

export class SchemaNode {
  readonly schema: JsonSchema;
  /** Empty for a boolean schema. */
  readonly keywords: JsonSchemaObject;
  readonly set: SchemaSet;
  readonly resource: Resource;
  readonly #parent: SchemaNode | undefined;
  readonly #step: string;
  ref: SchemaNode | undefined;
  dynamicRef: DynamicTarget | undefined;
  /** Compiles the node at its first use. */
  check: Check;
  /** Adds the evaluated members to `run.evaluated`. */
  checkTracked: Check;

  constructor(set: SchemaSet, { schema, step }: Subschema, resource: Resource, parent?: SchemaNode) {
    this.set = set;
    this.schema = schema;
    this.keywords = typeof schema === 'object' ? schema : noKeywords;
    this.resource = resource;
    this.#parent = parent;
    this.#step = step;
    this.check = (value, run) => (this.check = set.compile(this, false))(value, run);
    this.checkTracked = (value, run) => (this.checkTracked = set.compile(this, true))(value, run);
  }

  /** `#/…` in the document that was asked for. */
  get path(): string {
    const steps = [this.#step];
    for (let node = this.#parent; node !== undefined; node = node.#parent) steps.push(node.#step);
    return `${this.resource.documentUri}#${steps.reverse().join('')}`;
  }

  getSubnode(keyword: string): SchemaNode | undefined {
    const [found] = listKeywordSubschema(this.keywords, keyword);
    return found && this.set.node(found, this);
  }

  nodesInList(keyword: string): SchemaNode[] {
    return listSubschemasInList(this.keywords, keyword).map((found) => this.set.node(found, this));
  }

  map(keyword: string): [name: string, node: SchemaNode][] {
    return listNamedSubschemas(this.keywords, keyword).map(({ name, entry }) => [
      name,
      this.set.node(entry, this),
    ]);
  }

  getNamedSubnode(keyword: string, name: string): SchemaNode | undefined {
    const map = this.keywords[keyword];
    const schema = isRecord(map) ? getOwnMember(map, name) : undefined;
    return isSchema(schema)
      ? this.set.node({ schema, step: `/${keyword}/${escapePointerToken(name)}` }, this)
      : undefined;
  }
}
