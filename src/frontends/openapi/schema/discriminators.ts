import type { JsonSchema, JsonSchemaObject } from '../../../../templates/runtime/schema/json-schema.ts';
import { isRecord, setOwn } from '../document/record.ts';
import type { LoadedDocument } from '../load/loaded-document.ts';
import { pointerTokens } from '../reference/json-pointer.ts';
import type { Resolver } from '../reference/resolver.ts';
import {
  type RecordNode,
  type SourceNode,
  childOf,
  identityOf,
  isRecordNode,
  memberOf,
} from '../reference/source-node.ts';
import { findComponent, inheritorsOf } from './components.ts';
import { findProperty } from './find-property.ts';
import type { SchemaVariant } from './schema-pool.ts';

/** A discriminated parent and the schemas that extend it. */
export interface Family {
  property: string;
  members: { node: SourceNode; variant: SchemaVariant; values: string[] }[];
  /** The parent lists its children in `oneOf`/`anyOf` itself. */
  writesUnion: boolean;
}

interface Discriminator {
  property: string;
  /** Values by the identity of the schema they stand for; nodes in the document's order. */
  mapping: Map<string, { node: SourceNode; values: string[] }>;
  /** OpenAPI 3.2: the branch for values the mapping does not know. */
  hasDefault: boolean;
}

/**
 * Discriminators are a hint in OpenAPI and nothing in JSON Schema. Here they become `const` tags on the branches,
 * so that exactly one branch of a `oneOf` can match.
 */
export class Discriminators {
  readonly #resolver: Resolver;
  readonly #entry: LoadedDocument;
  readonly #families = new Map<string, Family | undefined>();

  constructor(resolver: Resolver, entry: LoadedDocument) {
    this.#resolver = resolver;
    this.#entry = entry;
  }

  /** Tags the branches of a union that has a discriminator. */
  tagBranches(node: RecordNode, out: JsonSchemaObject): void {
    if (node.value.discriminator === undefined) return;
    const discriminator = this.#read(node);
    if (discriminator === undefined) return;
    for (const keyword of ['oneOf', 'anyOf'] as const) {
      const raw = node.value[keyword];
      const branches = out[keyword];
      if (!Array.isArray(raw) || branches === undefined) continue;
      const list = childOf(node, keyword, raw);
      raw.forEach((member: unknown, index) => {
        this.#tagBranch(childOf(list, index, member), branches[index], discriminator);
      });
    }
    if (discriminator.hasDefault && out.oneOf !== undefined && out.anyOf === undefined) {
      // The branch for unknown values matches beside every other.
      out.anyOf = out.oneOf;
      Reflect.deleteProperty(out, 'oneOf');
    }
  }

  /** Narrows one branch to the values of the discriminating property that belong to it. */
  tag(branch: JsonSchemaObject, target: SourceNode, name: string, values: string[], implicit = false): void {
    const property = findProperty(this.#resolver, target, name);
    if (property === undefined && implicit) return;
    const tags = property?.values === undefined ? values : narrow(values, property.values);
    if (tags.length > 0) {
      const [only] = tags;
      const tag: JsonSchemaObject =
        tags.length === 1 && only !== undefined ? { const: only } : { enum: tags };
      if (property?.readOnly === true) tag.readOnly = true;
      branch.properties ??= {};
      setOwn(branch.properties, name, tag as JsonSchema);
    }
    if (property?.required !== true) branch.required = [...new Set([...(branch.required ?? []), name])];
  }

  /** The family of a parent that others extend by `allOf`; undefined for every other schema. */
  familyOf(node: RecordNode): Family | undefined {
    if (node.value.discriminator === undefined) return undefined;
    const identity = identityOf(node);
    if (!this.#families.has(identity)) {
      this.#families.set(identity, undefined);
      this.#families.set(identity, this.#findFamily(node));
    }
    return this.#families.get(identity);
  }

  /** Whether a schema is among those that extend the target of a reference. */
  isChild(node: RecordNode, ref: unknown): boolean {
    const parent = typeof ref === 'string' ? this.#resolver.target(node, ref) : undefined;
    if (parent === undefined || !isRecordNode(parent)) return false;
    const identity = identityOf(node);
    return this.familyOf(parent)?.members.some((member) => identityOf(member.node) === identity) ?? false;
  }

  #findFamily(node: RecordNode): Family | undefined {
    const discriminator = this.#read(node);
    if (discriminator === undefined) return undefined;
    const { property } = discriminator;
    const written = [node.value.oneOf, node.value.anyOf].find((list) => Array.isArray(list)) as
      unknown[] | undefined;
    const heirs = inheritorsOf(node);
    if (written !== undefined) {
      const own = new Set(heirs.map((heir) => `#${heir.pointer}`));
      const extended = written.some((branch) => isRecord(branch) && own.has(String(branch.$ref)));
      return extended
        ? { property, members: heirs.map((heir) => plainMember(heir)), writesUnion: true }
        : undefined;
    }
    const members =
      discriminator.mapping.size > 0 ? this.#mapped(node, discriminator) : this.#implied(node, heirs);
    return members.length === 0 ? undefined : { property, members, writesUnion: false };
  }

  /** The schemas of the mapping, and in place of one with children of its own, those too. */
  #mapped(node: RecordNode, { mapping }: Discriminator): Family['members'] {
    const parent = identityOf(node);
    const members: Family['members'] = [];
    for (const [identity, { node: child, values }] of mapping) {
      if (identity === parent) {
        members.push({ node, variant: 'base', values });
        continue;
      }
      const nested = isRecordNode(child) ? this.familyOf(child) : undefined;
      members.push({ node: child, variant: nested === undefined ? 'plain' : 'base', values });
      for (const member of nested?.members ?? []) {
        if (!mapping.has(identityOf(member.node)) && identityOf(member.node) !== parent) members.push(member);
      }
    }
    return distinct(members);
  }

  /** Without a mapping the names of the schemas are the values, and the parent may be meant as itself. */
  #implied(node: RecordNode, heirs: RecordNode[]): Family['members'] {
    if (heirs.length === 0) return [];
    const nested = heirs.map((heir) => ({ ...plainMember(heir), nested: this.familyOf(heir) !== undefined }));
    return distinct([
      ...nested.map(({ node: heir, values, nested: isParent }) => ({
        node: heir,
        values,
        variant: isParent ? ('base' as const) : ('plain' as const),
      })),
      { node, variant: 'base', values: [nameOf(node)] },
    ]);
  }

  #read(node: RecordNode): Discriminator | undefined {
    const written = memberOf(node, 'discriminator');
    // Swagger 2.0 names only the property.
    if (typeof written.value === 'string') {
      return { property: written.value, mapping: new Map(), hasDefault: false };
    }
    if (!isRecordNode(written) || typeof written.value.propertyName !== 'string') return undefined;
    const { propertyName, defaultMapping } = written.value;
    return {
      property: propertyName,
      mapping: this.#mapping(written),
      hasDefault: defaultMapping !== undefined,
    };
  }

  #mapping(discriminator: RecordNode): Discriminator['mapping'] {
    const mapping: Discriminator['mapping'] = new Map();
    const written = memberOf(discriminator, 'mapping');
    if (!isRecordNode(written)) return mapping;
    for (const [value, name] of Object.entries(written.value)) {
      const node = this.#named(written, name);
      if (node === undefined) continue;
      const known = mapping.get(identityOf(node));
      if (known === undefined) mapping.set(identityOf(node), { node, values: [value] });
      else known.values.push(value);
    }
    return mapping;
  }

  /** A mapping names a component, or is a reference. */
  #named(from: SourceNode, name: unknown): SourceNode | undefined {
    const component =
      typeof name === 'string'
        ? (findComponent(from.document, name) ?? findComponent(this.#entry, name))
        : undefined;
    const node = component ?? this.#resolver.target(from, name);
    return node && this.#resolver.follow(node);
  }

  #tagBranch(raw: SourceNode, branch: JsonSchema | undefined, discriminator: Discriminator): void {
    if (typeof branch !== 'object' || !isRecord(raw.value) || typeof raw.value.$ref !== 'string') return;
    const target = this.#resolver.follow(raw);
    if (target === undefined) return;
    const mapped = discriminator.mapping.get(identityOf(target));
    if (mapped === undefined && discriminator.hasDefault) return;
    const values = mapped?.values ?? [nameOf(target)];
    this.tag(branch, target, discriminator.property, values, mapped === undefined);
  }
}

/** Values that say more than the branch does itself. A contradiction is settled for the branch. */
function narrow(values: string[], own: readonly unknown[]): string[] {
  const shared = values.filter((value) => own.includes(value));
  return shared.length === own.length ? [] : shared;
}

function plainMember(node: RecordNode): Family['members'][number] {
  return { node, variant: 'plain', values: [nameOf(node)] };
}

function nameOf(node: SourceNode): string {
  const last = pointerTokens(node.pointer).at(-1);
  return last ?? node.document.file.replace(/^.*\//, '').replace(/\.\w+$/, '');
}

function distinct(members: Family['members']): Family['members'] {
  const seen = new Set<string>();
  return members.filter(({ node }) => {
    const identity = identityOf(node);
    const fresh = !seen.has(identity);
    seen.add(identity);
    return fresh;
  });
}
