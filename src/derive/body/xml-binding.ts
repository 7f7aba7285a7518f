/**
 * Binds bodies of XML: each value to a node, by the XML Objects of its schema. It reads the source's schemas, since
 * listed schemas have no `xml`.
 */
import { ownMember } from '../../../templates/runtime/json-rpc.ts';
import type { XmlBodyBinding, XmlNodeBinding } from '../../model/bindings.ts';
import { type JsonSchema, type JsonSchemaObject, unescapePointerToken } from '../../util/json-schema.ts';
import {
  ANNOTATIONS,
  BASES,
  BRANCHES,
  isSchemaObject,
  definitionNameOf,
  subschemasOf,
} from '../../model/schema-walk.ts';
import type { SourceModel, XmlObject } from '../../model/source-model.ts';
import { omitUndefined } from '../../util/collections.ts';
import { isXmlName } from './xml-names.ts';

export type XmlSource = Pick<SourceModel, 'schemas' | 'schemaOrigins'>;

/** Binds an XML body. Undefined if nothing could be an element; `because` says why it can't be bound. */
export type XmlShape = XmlBodyBinding | { because: string } | undefined;

export function bindXml(schema: JsonSchema, source: XmlSource): XmlShape {
  return new XmlBinder(source).bindBody(schema);
}

/** A part that is a document of its own. The property names its root if nothing else does. */
export function bindXmlPart(schema: JsonSchema, property: string, source: XmlSource): XmlBodyBinding {
  return new XmlBinder(source).bindPart(schema, property);
}

/** The members of a node binding that decide about the nodes inside it. */
type Structure = Pick<XmlNodeBinding, 'properties' | 'others' | 'items' | 'prefixItems'>;

class XmlBinder {
  readonly #source: XmlSource;
  readonly #schemas = new Map<string, XmlNodeBinding>();
  #badName: string | undefined;

  constructor(source: XmlSource) {
    this.#source = source;
  }

  bindBody(schema: JsonSchema): XmlShape {
    const node = this.#bindNode(schema);
    const whole = this.#resolveNode(node);
    if (
      ![whole.properties, whole.others, whole.items, whole.prefixItems, whole.content].some(
        (part) => part !== undefined,
      )
    )
      return undefined;
    const name = whole.name ?? this.#componentName(node.ref);
    if (name === undefined) return { because: 'nothing names its root element' };
    if (whole.nodeType !== undefined && whole.nodeType !== 'element' && whole.items === undefined)
      return {
        because: `its root is of the node type \`${whole.nodeType}\`, where a document has an element`,
      };
    if (!isXmlName(name)) this.#badName ??= name;
    if (this.#badName !== undefined) return { because: `\`${this.#badName}\` is no name of an element` };
    const items =
      whole.items === undefined
        ? {}
        : { nodeType: 'element' as const, items: this.#addFallbackName(whole.items) };
    return this.#makeBodyBinding({ ...node, name, ...items });
  }

  bindPart(schema: JsonSchema, property: string): XmlBodyBinding {
    const node = ownMember(this.#mergeStructure(schema, new Set()).properties, property) ?? {};
    // Each item of a list is a part.
    const one = this.#resolveNode(node).items ?? node;
    const { name = property } = this.#resolveNode(one);
    return this.#makeBodyBinding({ ...one, nodeType: 'element', name });
  }

  #makeBodyBinding(root: XmlNodeBinding): XmlBodyBinding {
    return { root, ...(this.#schemas.size === 0 ? {} : { schemas: Object.fromEntries(this.#schemas) }) };
  }

  #bindNode(schema: JsonSchema | undefined): XmlNodeBinding {
    if (!isSchemaObject(schema)) return {};
    const single = singleBranch(schema);
    if (single !== undefined) return this.#mergeOuterXml(schema, this.#bindNode(single));
    const ref = definitionNameOf(schema.$ref);
    if (
      ref !== undefined &&
      Object.keys(schema).every((keyword) => keyword === '$ref' || ANNOTATIONS.has(keyword))
    )
      return this.#mergeOuterXml(schema, this.#bindReference(ref));
    const structure = this.#mergeStructure(schema, new Set());
    return this.#noteBadNames({ ...convertXmlKeywords(schema, isList(structure)), ...structure });
  }

  /** An XML Object beside a reference, or around a nullable schema, wins over the inner one. */
  #mergeOuterXml(schema: JsonSchemaObject, inner: XmlNodeBinding): XmlNodeBinding {
    const { nodeType } = readXmlObject(schema);
    const isOfList = isList(this.#resolveNode(inner));
    // OpenAPI 3.2: a reference with a node type is a node around its target, or has no node.
    if (inner.ref !== undefined && !isOfList && (nodeType === 'element' || nodeType === 'none'))
      return this.#noteBadNames({
        ...convertXmlKeywords(schema, false),
        nodeType,
        content: this.#addFallbackName(inner),
      });
    return this.#noteBadNames({ ...inner, ...convertXmlKeywords(schema, isOfList) });
  }

  /** A component's name is the fallback. */
  #addFallbackName(node: XmlNodeBinding): XmlNodeBinding {
    if (this.#resolveNode(node).name !== undefined) return node;
    const name = this.#componentName(node.ref);
    return name === undefined ? node : { ...node, name };
  }

  /** Each pool member is read once, which ends circles. */
  #bindReference(ref: string): XmlNodeBinding {
    if (!this.#schemas.has(ref)) {
      this.#schemas.set(ref, {});
      const { schemas } = this.#source;
      this.#schemas.set(ref, this.#bindNode(Object.hasOwn(schemas, ref) ? schemas[ref] : undefined));
    }
    return { ref };
  }

  #resolveNode(node: XmlNodeBinding, seen = new Set<string>()): XmlNodeBinding {
    const { ref, ...plain } = node;
    if (ref === undefined || seen.has(ref)) return plain;
    return { ...this.#resolveNode(this.#schemas.get(ref) ?? {}, seen.add(ref)), ...plain };
  }

  /** Merges the members and items of a schema and of all schemas it is composed of; the first to describe one wins. */
  #mergeStructure(schema: JsonSchema | undefined, seen: Set<JsonSchema>): Structure {
    if (!isSchemaObject(schema) || seen.has(schema)) return {};
    seen.add(schema);
    const target = definitionNameOf(schema.$ref);
    const base = target === undefined ? undefined : ownMember(this.#source.schemas, target);
    const merge = (part: JsonSchema | undefined): Structure => this.#mergeStructure(part, seen);
    const parts = [
      ...[base, ...subschemasOf(schema, BASES)].map(merge),
      this.#bindOwnStructure(schema),
      ...subschemasOf(schema, BRANCHES).map(merge),
    ];
    return parts.reduce(joinStructures, {});
  }

  #bindOwnStructure(schema: JsonSchemaObject): Structure {
    const { properties, items, prefixItems } = schema;
    const mapSchema = [schema.additionalProperties, schema.unevaluatedProperties].find(isSchemaObject);
    return omitUndefined({
      properties: properties && this.#bindProperties(properties),
      others: mapSchema && this.#bindNode(mapSchema),
      items: items === undefined ? undefined : this.#bindNode(items),
      prefixItems: prefixItems?.map((item) => this.#bindNode(item)),
    });
  }

  #bindProperties(properties: Record<string, JsonSchema>): Record<string, XmlNodeBinding> {
    return Object.fromEntries(
      Object.entries(properties).map(([name, property]) => {
        const node = this.#bindNode(property);
        if (!isXmlName(name) && this.#isNamedByProperty(node)) this.#badName ??= name;
        return [name, node];
      }),
    );
  }

  #noteBadNames(node: XmlNodeBinding): XmlNodeBinding {
    for (const name of [node.name, node.prefix])
      if (name !== undefined && !isXmlName(name)) this.#badName ??= name;
    return node;
  }

  /** Whether the property's name becomes the node's name. */
  #isNamedByProperty(node: XmlNodeBinding): boolean {
    const { name, nodeType, items, content } = this.#resolveNode(node);
    if (nodeType === 'text' || nodeType === 'cdata') return false;
    if (nodeType === 'none') return content !== undefined && this.#isNamedByProperty(content);
    if (nodeType === undefined && items !== undefined) return this.#isNamedByProperty(items);
    return name === undefined;
  }

  /** Returns the name of a component: the last token of its pointer, or its file. */
  #componentName(ref: string | undefined): string | undefined {
    const origin = ref === undefined ? undefined : ownMember(this.#source.schemaOrigins, ref);
    if (origin?.kind !== 'document') return undefined;
    if (origin.pointer === '') return ref;
    const [, name] = /^\/(?:components\/schemas|definitions)\/([^/]+)$/.exec(origin.pointer) ?? [];
    return name && unescapePointerToken(name);
  }
}

function readXmlObject(schema: JsonSchemaObject): XmlObject {
  return (schema.xml ?? {}) as XmlObject;
}

/** Converts older keywords to those of 3.2. A list without its own node has a name only if it is the document. */
function convertXmlKeywords(schema: JsonSchemaObject, isOfList: boolean): XmlNodeBinding {
  const { attribute, wrapped, nodeType, ...names } = readXmlObject(schema);
  const older = attribute === true ? 'attribute' : isOfList && wrapped === true ? 'element' : undefined;
  const type = nodeType ?? older;
  return { ...names, ...omitUndefined({ nodeType: type }) };
}

function isList({ items, prefixItems }: XmlNodeBinding): boolean {
  return items !== undefined || prefixItems !== undefined;
}

/** Returns the single branch of a nullable union or of an `allOf`. */
function singleBranch(schema: JsonSchemaObject): JsonSchema | undefined {
  const [keyword, ...moreKeywords] = Object.keys(schema).filter((key) => !ANNOTATIONS.has(key));
  if (moreKeywords.length > 0 || (keyword !== 'anyOf' && keyword !== 'oneOf' && keyword !== 'allOf'))
    return undefined;
  const branches = (schema[keyword] ?? []).filter(
    (branch) => !isSchemaObject(branch) || branch.type !== 'null',
  );
  return branches.length === 1 ? branches[0] : undefined;
}

function joinStructures(one: Structure, other: Structure): Structure {
  // In the order of `one`, whose members win.
  const properties = { ...one.properties, ...other.properties, ...one.properties };
  return {
    ...other,
    ...one,
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
  };
}
