import type { CharacterSet } from './character-set.ts';

/**
 * A regular expression as a tree, as far as it only tells whether a text matches: groups that capture, and whether a
 * repetition is greedy, make no difference.
 */
export type RegexNode =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'sequence'; readonly items: readonly RegexNode[] }
  | { readonly kind: 'choice'; readonly branches: readonly RegexNode[] }
  | { readonly kind: 'repeat'; readonly item: RegexNode; readonly min: number; readonly max: number }
  | { readonly kind: 'edge'; readonly edge: Edge }
  | {
      readonly kind: 'look';
      readonly item: RegexNode;
      readonly behind: boolean;
      readonly negative: boolean;
    };

export type Edge = 'start' | 'end' | 'word' | 'inside';

/** Whether it can match no characters at all. What is looked at ahead or behind is not matched. */
export function isNullable(node: RegexNode): boolean {
  switch (node.kind) {
    case 'set':
      return false;
    case 'sequence':
      return node.items.every(isNullable);
    case 'choice':
      return node.branches.some(isNullable);
    case 'repeat':
      return node.min === 0 || isNullable(node.item);
    case 'edge':
    case 'look':
      return true;
  }
}
