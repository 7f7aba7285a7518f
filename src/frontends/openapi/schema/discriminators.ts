import { isRecord } from '../../../../templates/runtime/json-rpc.ts';
import type { JsonSchema, JsonSchemaObject } from '../../../util/json-schema.ts';
import { setOwnMember, printValue } from '../document/record.ts';
import type { LoadedDocument } from '../load/loaded-document.ts';
import type { Resolver } from '../reference/resolver.ts';
import {
  type RecordNode,
  type SourceNode,
  isRecordNode,
  listItemNodes,
  memberNode,
  nodeIdentity,
} from '../reference/source-node.ts';
import {
  type Choice,
  type Discriminator,
  findProperty,
  listInheritors,
  deriveImplicitName,
  readDiscriminator,
} from './discriminator-object.ts';
import type { SchemaVariant } from './schema-pool.ts';

export interface Family {
  property: string;
  members: { node: SourceNode; variant: SchemaVariant; values: string[] }[];
  /** The identities of all heirs, including those without a value. */
  children: ReadonlySet<string>;
  writesUnion: boolean;
}

/**
 * JSON Schema ignores discriminators. They become `const` tags on the branches, so that exactly one branch of a
 * `oneOf` matches.
 */
export class Discriminators {
  readonly #resolver: Resolver;
  readonly #entry: LoadedDocument;
  readonly #families = new Map<string, Family | undefined>();

  constructor(resolver: Resolver, entry: LoadedDocument) {
    this.#resolver = resolver;
    this.#entry = entry;
  }

  addTagsToBranches(node: RecordNode, out: JsonSchemaObject): void {
    if (node.value.discriminator === undefined) return;
    const discriminator = readDiscriminator(this.#resolver, this.#entry, node);
    if (discriminator === undefined) return;
    for (const keyword of ['oneOf', 'anyOf'] as const) {
      const branches = out[keyword];
      if (branches === undefined) continue;
      for (const [index, member] of listItemNodes(memberNode(node, keyword)).entries())
        this.#tagBranch(member, branches[index], discriminator);
    }
  }

  /** Narrows a branch to its values of the property. */
  tag(branch: JsonSchemaObject, target: SourceNode, name: string, values: string[], implicit = false): void {
    const property = findProperty(this.#resolver, target, name);
    if (property === undefined && implicit) return;
    const tags = property?.values === undefined ? values : keepOwnValues(values, property.values);
    if (tags.length > 0) {
      const [only] = tags;
      const tag: JsonSchemaObject =
        tags.length === 1 && only !== undefined ? { const: only } : { enum: tags };
      if (property?.readOnly === true) tag.readOnly = true;
      branch.properties ??= {};
      setOwnMember(branch.properties, name, tag as JsonSchema);
    }
    if (property?.required !== true) branch.required = [...new Set([...(branch.required ?? []), name])];
  }

  familyOf(node: RecordNode): Family | undefined {
    if (node.value.discriminator === undefined) return undefined;
    const identity = nodeIdentity(node);
    if (!this.#families.has(identity)) {
      this.#families.set(identity, undefined);
      this.#families.set(identity, this.#findFamily(node));
    }
    return this.#families.get(identity);
  }

  isChildOfRefTarget(node: RecordNode, ref: unknown): boolean {
    const parent = typeof ref === 'string' ? this.#resolver.target(node, ref) : undefined;
    if (parent === undefined || !isRecordNode(parent)) return false;
    return this.familyOf(parent)?.children.has(nodeIdentity(node)) ?? false;
  }

  #findFamily(node: RecordNode): Family | undefined {
    const discriminator = readDiscriminator(this.#resolver, this.#entry, node);
    if (discriminator === undefined) return undefined;
    const alternatives = [node.value.oneOf, node.value.anyOf].find((list) => Array.isArray(list)) as
      unknown[] | undefined;
    const heirs = listInheritors(node);
    const writesUnion = alternatives !== undefined;
    if (writesUnion) {
      const heirPointers = new Set(heirs.map((heir) => `#${heir.pointer}`));
      if (!alternatives.some((branch) => isRecord(branch) && heirPointers.has(printValue(branch.$ref))))
        return undefined;
    }
    const members = writesUnion
      ? heirs.map((heir) => ({ node: heir, variant: 'plain' as const, values: [deriveImplicitName(heir)] }))
      : this.#listMembers(node, discriminator, heirs);
    if (members.length === 0) return undefined;
    const children = new Set([...heirs, ...members.map((member) => member.node)].map(nodeIdentity));
    return { property: discriminator.property, members, children, writesUnion };
  }

  /** The mapped schemas, then unmapped heirs under their names. Without a mapping the parent may stand for itself. */
  #listMembers(node: RecordNode, discriminator: Discriminator, heirs: RecordNode[]): Family['members'] {
    const { mapping } = discriminator;
    const mapped = [...mapping.values()].flatMap((member) =>
      this.#addNestedMembers(node, member, discriminator),
    );
    const implied = heirs
      .filter((heir) => !mapping.has(nodeIdentity(heir)) && this.#canBeChosen(heir, discriminator))
      .map((heir) => ({ node: heir, values: [deriveImplicitName(heir)] }));
    const itself =
      mapping.size === 0 && implied.length > 0 ? [{ node, values: [deriveImplicitName(node)] }] : [];
    const members = [
      ...mapped,
      ...[...implied, ...itself].flatMap((member) => this.#addNestedMembers(node, member, discriminator)),
    ];
    const byIdentity = new Map<string, Family['members'][number]>();
    for (const member of members) {
      const identity = nodeIdentity(member.node);
      const values = [...(byIdentity.get(identity)?.values ?? []), ...member.values];
      byIdentity.set(identity, { ...member, values: [...new Set(values)] });
    }
    return [...byIdentity.values()];
  }

  /** Adds the members of a branch that is itself a parent by the same property. */
  #addNestedMembers(
    parent: RecordNode,
    { node, values }: Choice,
    { property, mapping }: Discriminator,
  ): Family['members'] {
    if (nodeIdentity(node) === nodeIdentity(parent)) return [{ node, variant: 'base', values }];
    const nested = isRecordNode(node) ? this.familyOf(node) : undefined;
    if (nested?.property !== property) return [{ node, variant: 'plain', values }];
    const otherMembers = nested.members.filter(
      (member) =>
        !mapping.has(nodeIdentity(member.node)) && nodeIdentity(member.node) !== nodeIdentity(parent),
    );
    return [{ node, variant: 'base', values }, ...otherMembers];
  }

  /** An unmapped heir is chosen by its name or by a value it declares. */
  #canBeChosen(heir: RecordNode, { property, values }: Discriminator): boolean {
    const name = deriveImplicitName(heir);
    if (values.has(name)) return false;
    const heirValues = findProperty(this.#resolver, heir, property)?.values;
    return (
      heirValues === undefined || heirValues.includes(name) || !heirValues.some((value) => values.has(value))
    );
  }

  #tagBranch(raw: SourceNode, branch: JsonSchema | undefined, discriminator: Discriminator): void {
    if (typeof branch !== 'object' || !isRecord(raw.value) || typeof raw.value.$ref !== 'string') return;
    const target = this.#resolver.followReference(raw);
    if (target === undefined) return;
    const mapped = discriminator.mapping.get(nodeIdentity(target));
    if (mapped === undefined && discriminator.hasDefault) return;
    const values = mapped?.values ?? [deriveImplicitName(target)];
    this.tag(branch, target, discriminator.property, values, mapped === undefined);
  }
}

/** The branch's own values win a contradiction. */
function keepOwnValues(values: string[], ownValues: readonly unknown[]): string[] {
  const shared = values.filter((value) => ownValues.includes(value));
  return shared.length === ownValues.length ? [] : shared;
}
