import type { DocumentOrigin } from '../../../model/origin.ts';
import type { JsonSchema } from '../../../../templates/runtime/contract/json-schema.ts';
import { setOwn } from '../document/record.ts';
import type { LoadedDocument } from '../load/loaded-document.ts';
import { type SourceNode, identityOf, originOf } from '../reference/source-node.ts';
import { assignPoolNames } from './pool-names.ts';

/**
 * A discriminated parent is read as `base` inside a child's `allOf`, and elsewhere as `plain`: the union of its
 * children.
 */
export type SchemaVariant = 'plain' | 'base';

/** A reference whose text is set when all names are known. */
export type PoolReference = { $ref: string } & Record<string, unknown>;

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

export class SchemaPool {
  readonly #members = new Map<string, PoolMember>();
  /** The resolver returns one node for equal references, so this cache hits most often. */
  readonly #plain = new WeakMap<SourceNode, PoolMember>();
  readonly #queue: PoolMember[] = [];

  refer(node: SourceNode, variant: SchemaVariant): PoolReference {
    const member = (variant === 'plain' ? this.#plain.get(node) : undefined) ?? this.#join(node, variant);
    const reference: PoolReference = { $ref: '' };
    member.references.push(reference);
    return reference;
  }

  #join(node: SourceNode, variant: SchemaVariant): PoolMember {
    const key = `${identityOf(node)} ${variant}`;
    let member = this.#members.get(key);
    if (member === undefined) {
      member = { node, variant, references: [], schema: true };
      this.#members.set(key, member);
      this.#queue.push(member);
    }
    if (variant === 'plain') this.#plain.set(node, member);
    return member;
  }

  /** Converts until the queue is empty, which keeps the stack flat. */
  drain(convert: (member: PoolMember) => JsonSchema): void {
    for (let member = this.#queue.pop(); member !== undefined; member = this.#queue.pop())
      member.schema = convert(member);
  }

  /** Names members by content, so that the document's order does not matter. */
  finish(entry: LoadedDocument): FinishedPool {
    const pool: FinishedPool = { schemas: {}, origins: {} };
    for (const [name, member] of assignPoolNames([...this.#members.values()], entry)) {
      for (const reference of member.references) reference.$ref = `#/$defs/${name}`;
      setOwn(pool.schemas, name, member.schema);
      setOwn(pool.origins, name, originOf(member.node));
    }
    return pool;
  }
}
