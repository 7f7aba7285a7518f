import { type Node, parseTree } from 'jsonc-parser';

import { toWellFormedText } from '../../util/http-syntax.ts';
import type { DocumentIndex, Span } from './text-places.ts';

/** Finds positions in a JSON text, which may have comments. */
export class JsonIndex implements DocumentIndex {
  readonly #root: Node | undefined;

  constructor(text: string) {
    this.#root = parseTree(text, [], { allowTrailingComma: true });
  }

  find(tokens: readonly string[], target: 'value' | 'key'): Span {
    let node = this.#root;
    let key: Span | undefined;
    for (const token of tokens) {
      const member = node && findMember(node, token);
      if (member?.value === undefined) break;
      node = member.value;
      key = member.key && toSpan(member.key);
    }
    if (node === undefined) return { start: 0, end: 1 };
    // A container is shown by its key, which says more than a bracket.
    const isContainer = node.type === 'object' || node.type === 'array';
    if (key !== undefined && (target === 'key' || isContainer)) return key;
    return isContainer ? { start: node.offset, end: node.offset + 1 } : toSpan(node);
  }
}

function findMember(
  { type, children = [] }: Node,
  token: string,
): { key?: Node | undefined; value: Node | undefined } {
  if (type === 'array') return { value: children[Number(token)] };
  const property = children.find(
    ({ children: [name] = [] }) => toWellFormedText(String(name?.value)) === token,
  );
  return { key: property?.children?.[0], value: property?.children?.[1] };
}

function toSpan({ offset, length }: Node): Span {
  return { start: offset, end: offset + length };
}
