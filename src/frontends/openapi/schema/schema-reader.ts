/**
 * Converts Schema Objects of every OpenAPI version to JSON Schema 2020-12: only requested schemas and their
 * references.
 */
import type { JsonSchema, JsonSchemaObject } from '../../../util/json-schema.ts';
import { isRecord } from '../../../../templates/runtime/json-rpc.ts';
import { ALTERNATIVES } from '../../../model/schema-walk.ts';
import { omitUndefined } from '../../../util/collections.ts';
import { describeValueKind, readCleanText } from '../document/record.ts';
import type { DocumentLimits, LoadedDocument } from '../load/loaded-document.ts';
import { bindAnchors, enterScope, findBoundSchema } from './dynamic-scope.ts';
import { indexIdentifiers } from '../reference/identifier-index.ts';
import type { Resolver } from '../reference/resolver.ts';
import {
  type RecordNode,
  type SourceNode,
  isRecordNode,
  keyOrigin,
  memberNode,
  nodeOrigin,
  findReferencePlace,
} from '../reference/source-node.ts';
import type { Report } from '../report.ts';
import { Discriminators } from './discriminators.ts';
import { applyNullable, finishSchema } from './finish-schema.ts';
import { keywordReaders } from './keyword-readers.ts';
import { type FinishedPool, type PoolMember, SchemaPool, type SchemaVariant } from './schema-pool.ts';
import type { SchemaScope } from './value-keywords.ts';

export class SchemaReader {
  readonly #resolver: Resolver;
  readonly #report: Report;
  readonly #limits: DocumentLimits;
  readonly #pool = new SchemaPool();
  readonly #discriminators: Discriminators;
  readonly #spent = new Map<LoadedDocument, number>();
  /** Objects in conversion; YAML aliases may nest an object in itself. */
  readonly #active = new Map<object, SourceNode>();
  /** Schemas with `x-mcp`, which has no effect unless they are arguments. */
  readonly #ruled = new Map<object, RecordNode>();
  /** Schemas that are arguments, so their `x-mcp` has effect. */
  readonly argumentSchemas = new Set<object>();
  #count = 0;
  #tests = 0;
  readonly #convertChild: SchemaScope['convert'] = (child, depth) => this.#convertSchema(child, depth);
  readonly #convertMember: SchemaScope['convertExtended'] = (child, depth, owner) =>
    this.#convertSchema(child, depth, this.#isExtendedByAllOf(owner, child));

  readonly #convertTest: SchemaScope['convertTest'] = (child, depth) => {
    this.#tests += 1;
    const schema = this.#convertSchema(child, depth);
    this.#tests -= 1;
    return schema;
  };

  constructor(resolver: Resolver, report: Report, limits: DocumentLimits, entry: LoadedDocument) {
    this.#resolver = resolver;
    this.#report = report;
    this.#limits = limits;
    this.#discriminators = new Discriminators(resolver, entry);
  }

  readSchema(node: SourceNode): JsonSchema {
    return this.#convertSchema(node, 0);
  }

  /** Call once, after all capabilities were read. */
  finishPool(entry: LoadedDocument): FinishedPool {
    this.#pool.convertQueued((member) => this.#convertPoolMember(member));
    for (const [schema, node] of this.#ruled)
      if (!this.argumentSchemas.has(schema))
        this.#report(
          'rule-without-effect',
          {
            what: '`x-mcp` is in a schema that is no argument of a tool',
            suggestion: '',
            fix: 'Write it at a parameter itself (not at its `schema`), at a top-level property of a body, or in `x-mcp.arguments` of the operation.',
          },
          { at: keyOrigin(memberNode(node, 'x-mcp')) },
        );
    return this.#pool.finishPool(entry);
  }

  #convertPoolMember({ node, variant }: PoolMember): JsonSchema {
    if (!isRecordNode(node)) return this.#convertSchema(node, 0);
    if (node.value['x-mcp'] !== undefined) this.#ruled.set(node.value, node);
    const family = variant === 'plain' ? this.#discriminators.familyOf(node) : undefined;
    if (family === undefined || family.writesUnion) return this.#convertGuardingCycles(node, 0, variant);
    const description = readCleanText(node.value.description);
    const anyOf = family.members.map((child) => {
      const reference = this.#pool.makeReferenceTo(child.node, child.variant);
      this.#discriminators.tag(reference, child.node, family.property, child.values);
      return reference;
    });
    return applyNullable(node.value, { ...omitUndefined({ description }), anyOf });
  }

  #convertSchema(node: SourceNode, depth: number, extended = false): JsonSchema {
    if (typeof node.value === 'boolean') return node.value;
    if (!isRecordNode(node)) {
      this.#report('invalid-schema', { found: describeValueKind(node.value) }, { at: nodeOrigin(node) });
      return true;
    }
    if (depth > this.#limits.depth) {
      const problem = `A schema nests deeper than ${this.#limits.depth} levels`;
      this.#report('schema-too-large', { problem }, { at: nodeOrigin(node) });
      return true;
    }
    const inside = withBaseOfSchema(node);
    if (inside.value['x-mcp'] !== undefined) this.#ruled.set(inside.value, inside);
    const { $ref } = inside.value;
    if ($ref !== undefined && isOnlyReference(inside)) return this.#convertReference(inside, $ref, extended);
    return this.#convertGuardingCycles(inside, depth, 'plain', extended);
  }

  #convertReference(node: RecordNode, ref: unknown, extended: boolean): JsonSchema {
    const reference = this.#makeReference(node, ref, extended);
    const description = readCleanText(node.value.description);
    if (description === undefined) return reference ?? true;
    return reference === undefined ? { description } : Object.assign(reference, { description });
  }

  #makeReference(
    node: RecordNode,
    ref: unknown,
    extended: boolean,
  ): (JsonSchemaObject & { $ref: string }) | undefined {
    const target = this.#resolver.followRef(node, ref, isOnlyReference);
    if (target === undefined) return undefined;
    if (
      isRecord(target.document.value) &&
      'openapi' in target.document.value &&
      NO_SCHEMA.test(target.pointer)
    ) {
      const part = `the reference ${JSON.stringify(ref)} to another part of the document`;
      this.#report('invalid-schema', { found: part }, { at: findReferencePlace(node, ref) });
      return undefined;
    }
    const scoped = enterScope(target, node.scope);
    return this.#pool.makeReferenceTo(scoped, this.#chooseVariant(scoped, extended));
  }

  #chooseVariant(target: SourceNode, extended: boolean): SchemaVariant {
    if (!extended || !isRecordNode(target)) return 'plain';
    return this.#discriminators.familyOf(target) === undefined ? 'plain' : 'base';
  }

  /** A YAML value inside itself becomes a recursive reference. */
  #convertGuardingCycles(
    node: RecordNode,
    depth: number,
    variant: SchemaVariant,
    extended = false,
  ): JsonSchema {
    if (!this.#countAndCheckLimit(node)) return true;
    if (node.document.aliases === 0) return this.#convertObject(node, depth, variant);
    const above = this.#active.get(node.value);
    if (above !== undefined) return this.#pool.makeReferenceTo(above, this.#chooseVariant(above, extended));
    this.#active.set(node.value, node);
    const schema = this.#convertObject(node, depth, variant);
    this.#active.delete(node.value);
    return schema;
  }

  #convertObject(unbound: RecordNode, depth: number, variant: SchemaVariant): JsonSchemaObject {
    const node = bindAnchors(unbound);
    const raw = node.value;
    const scope: SchemaScope = {
      node,
      raw,
      out: this.#convertRefKeywords(node),
      depth,
      report: this.#report,
      convert: this.#convertChild,
      convertExtended: this.#convertMember,
      convertTest: this.#convertTest,
      followReference: (map) =>
        this.#resolver.followReference(map, { what: 'The `properties` of a schema', target: 'other' }),
      isTest: this.#tests > 0,
    };
    for (const keyword of Object.keys(raw)) {
      if (variant === 'base' && ALTERNATIVES.includes(keyword)) continue;
      keywordReaders.get(keyword)?.(raw[keyword], keyword, scope);
    }
    if (variant === 'plain') this.#discriminators.addTagsToBranches(node, scope.out);
    return finishSchema(scope);
  }

  #convertRefKeywords(node: RecordNode): JsonSchemaObject {
    const { $ref, $dynamicRef, $recursiveRef } = node.value;
    if ($ref !== undefined) return this.#makeReference(node, $ref, false) ?? {};
    if ($recursiveRef !== undefined) {
      // Draft 2019-09. Which schema it means depends on the path of the validator.
      this.#report('dynamic-ref', { ref: '#', reading: 'accepting anything' }, { at: nodeOrigin(node) });
      return {};
    }
    if (typeof $dynamicRef !== 'string') return {};
    const bound = findBoundSchema(node, $dynamicRef);
    if (bound !== undefined) return this.#referToBound(bound);
    // Which of them a `$dynamicRef` means depends on the path of the validator.
    const anchors = [...indexIdentifiers(node.document).anchors.keys()];
    const isFixed = !(anchors.filter((anchor) => anchor.endsWith($dynamicRef)).length > 1);
    const reading = isFixed ? '$ref' : 'accepting anything';
    this.#report('dynamic-ref', { ref: $dynamicRef, reading }, { at: nodeOrigin(node) });
    return (isFixed && this.#makeReference(node, $dynamicRef, false)) || {};
  }

  /** A binding that is only a reference (`{ $dynamicAnchor: T, $ref: … }`) stands for what it refers to. */
  #referToBound(bound: RecordNode): JsonSchemaObject {
    const isAlone = Object.keys(bound.value).every((key) => /^\$(?:dynamicAnchor|comment|ref)$/.test(key));
    if (isAlone && bound.value.$ref !== undefined)
      return this.#makeReference(bound, bound.value.$ref, false) ?? {};
    return this.#pool.makeReferenceTo(bound, this.#chooseVariant(bound, false));
  }

  /** Whether a member of `allOf` is extended, rather than only described. */
  #isExtendedByAllOf(node: RecordNode, member: SourceNode): boolean {
    const { allOf, properties } = node.value;
    if (!Array.isArray(allOf) || allOf.length > 1 || properties !== undefined) return true;
    return isRecord(member.value) && this.#discriminators.isChildOfRefTarget(node, member.value.$ref);
  }

  #countAndCheckLimit(node: SourceNode): boolean {
    this.#count += 1;
    const { document } = node;
    if (document.aliases === 0) return this.#checkLimit(this.#count, this.#limits.schemas, node);
    const spent = (this.#spent.get(document) ?? 0) + 1;
    this.#spent.set(document, spent);
    // Limited by the text's length, since a normal document has a schema every few characters at most.
    return this.#checkLimit(spent, Math.min(this.#limits.schemas, 20_000 + 2 * document.text.length), node);
  }

  #checkLimit(spent: number, limit: number, node: SourceNode): boolean {
    const problem = `The document expands to more than ${limit} schemas`;
    if (spent === limit + 1) this.#report('schema-too-large', { problem }, { at: nodeOrigin(node) });
    return spent <= limit;
  }
}

/** Before OpenAPI 3.1 keywords beside `$ref` are ignored. */
function isOnlyReference(node: SourceNode): node is RecordNode {
  if (!isRecordNode(node) || typeof node.value.$ref !== 'string') return false;
  const { version } = node.document;
  return version === '2.0' || version === '3.0' || Object.keys(node.value).length === 1;
}

/** References inside a schema with `$id` are relative to it. */
function withBaseOfSchema(node: RecordNode): RecordNode {
  if (typeof node.value.$id !== 'string') return node;
  const base = indexIdentifiers(node.document).bases.get(node.value);
  return base === undefined ? node : { ...node, base };
}

/** Parts of an OpenAPI document that are no schemas. */
const NO_SCHEMA =
  /^(?:\/info.*|\/paths\/[^/]+(?:\/[^/]+)?|\/components(?:\/(?!schemas\/)[^/]+(?:\/[^/]+(?:\/content\/[^/]+)?)?)?)?$/;
