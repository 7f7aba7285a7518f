/**
 * A discriminated parent is read as `base` inside a child's `allOf`, and elsewhere as `plain`: the union of its
 * children.
 */
import { posix } from 'node:path';

import { pointerTokens, type JsonSchema } from '../../../util/json-schema.ts';
import { transliterateToLatin } from '../../../model/letters.ts';
import type { DocumentOrigin } from '../../../model/origin.ts';
import { groupBy } from '../../../util/collections.ts';
import { shortHash } from '../../../util/short-hash.ts';
import { setOwnMember } from '../document/record.ts';
import type { LoadedDocument } from '../load/loaded-document.ts';
import { type SourceNode, nodeIdentity, nodeOrigin } from '../reference/source-node.ts';
import { findFreeName } from '../../../util/free-name.ts';

export type SchemaVariant = 'plain' | 'base';

type PoolReference = { $ref: string } & Record<string, unknown>;

export interface PoolMember {
  node: SourceNode;
  variant: SchemaVariant;
  references: PoolReference[];
  schema: JsonSchema;
}

export interface FinishedPool {
  schemas: Record<string, JsonSchema>;
  origins: Record<string, DocumentOrigin>;
}

/** Meanings of one generic schema. */
const MOST_SCOPES = 20;

export class SchemaPool {
  readonly #members = new Map<string, PoolMember>();
  readonly #queue: PoolMember[] = [];
  readonly #scopes = new Map<string, Set<string>>();

  makeReferenceTo(asked: SourceNode, variant: SchemaVariant): PoolReference {
    const node = this.#limitScopes(asked);
    const key = `${nodeIdentity(node)} ${variant}${printScope(node, nodeIdentity)}`;
    let member = this.#members.get(key);
    if (member === undefined) {
      member = { node, variant, references: [], schema: true };
      this.#members.set(key, member);
      this.#queue.push(member);
    }
    const reference: PoolReference = { $ref: '' };
    member.references.push(reference);
    return reference;
  }

  /** Pairs of generic schemas may bind each other's anchors in endless ways: beyond the limit a schema has its own meaning. */
  #limitScopes(node: SourceNode): SourceNode {
    if (node.scope === undefined) return node;
    const key = nodeIdentity(node);
    const scopes = this.#scopes.get(key) ?? new Set();
    this.#scopes.set(key, scopes);
    const scope = printScope(node, nodeIdentity);
    if (scopes.has(scope) || scopes.size < MOST_SCOPES) {
      scopes.add(scope);
      return node;
    }
    const { document, pointer, value, base } = node;
    return { document, pointer, value, ...(base !== undefined && { base }) };
  }

  /** A queue keeps the stack flat. */
  convertQueued(convert: (member: PoolMember) => JsonSchema): void {
    for (let member = this.#queue.pop(); member !== undefined; member = this.#queue.pop())
      member.schema = convert(member);
  }

  /** Names members by their JSON Pointers, not by the order in which they were found. */
  finishPool(entry: LoadedDocument): FinishedPool {
    const pool: FinishedPool = { schemas: {}, origins: {} };
    for (const [name, member] of assignPoolNames([...this.#members.values()], entry)) {
      for (const reference of member.references) reference.$ref = `#/$defs/${name}`;
      setOwnMember(pool.schemas, name, member.schema);
      setOwnMember(pool.origins, name, nodeOrigin(member.node));
    }
    return pool;
  }
}

/** One generic schema is as many members as there are schemas that bind its anchors. */
function printScope({ scope }: SourceNode, placeOf: (node: SourceNode) => string): string {
  return [...(scope ?? [])].map(([anchor, bound]) => ` ${anchor}=${placeOf(bound)}`).join('');
}

/** Pointer tokens that describe nesting rather than content. */
const structural = new Set([
  ...['components', 'schemas', 'definitions', '$defs', 'properties', 'items', 'schema', 'content', 'paths'],
  ...'responses requestBody parameters allOf anyOf oneOf additionalProperties requestBodies'.split(' '),
]);

/**
 * On a clash the entry document's component keeps the name, and others get a hash of their place, whatever the order.
 */
function assignPoolNames(members: readonly PoolMember[], entry: LoadedDocument): Map<string, PoolMember> {
  const wishes = groupBy(members, derivePoolName);
  const placeOf = ({ document, pointer }: SourceNode): string =>
    `${relativeUri(entry.uri, document.uri)}#${pointer}`;
  const membersByName = new Map<string, PoolMember>();
  for (const [wish, group] of wishes) {
    for (const member of group) {
      const keeps = group.length === 1 || isComponentOfEntry(member, wish, entry);
      // The place relative to the entry document is the same on every machine.
      const name = keeps
        ? wish
        : `${wish}_${shortHash(`${placeOf(member.node)} ${member.variant}${printScope(member.node, placeOf)}`).slice(0, 6)}`;
      // A suffixed name may be the preferred name of another member, and hashes may collide.
      const free = findFreeName(
        name,
        (candidate) => membersByName.has(candidate) || (!keeps && wishes.has(candidate)),
      );
      membersByName.set(free, member);
    }
  }
  return membersByName;
}

function derivePoolName({ node, variant }: PoolMember): string {
  const tokens = node.pointer === '' ? [fileStem(node.document.file)] : pointerTokens(node.pointer);
  const telling = tokens.filter((token) => !structural.has(token) && !/^\d{1,2}$/.test(token));
  const nameWords = telling.length === 0 ? [fileStem(node.document.file)] : telling;
  const name =
    transliterateToLatin(nameWords.join('_'))
      .replaceAll(/[^A-Za-z0-9_.-]+/g, '_')
      .replaceAll(/^_+|_+$/g, '') || 'Schema';
  return variant === 'base' ? `${name}_base` : name;
}

function fileStem(file: string): string {
  return posix.basename(file.replaceAll('\\', '/').replace(/[?#].*$/s, '')).replace(/\.\w+$/, '');
}

function isComponentOfEntry({ node, variant }: PoolMember, wish: string, entry: LoadedDocument): boolean {
  const { document, pointer } = node;
  return (
    variant === 'plain' &&
    document === entry &&
    (pointer === `/components/schemas/${wish}` || pointer === `/definitions/${wish}`)
  );
}

function relativeUri(from: string, to: string): string {
  const [a, b] = [new URL(from), new URL(to)];
  if (a.protocol !== b.protocol || a.host !== b.host) return to;
  return posix.relative(posix.dirname(a.pathname), b.pathname) + b.search;
}
