/**
 * Every use of TypeScript that its declarations do not name (docs/adr/0098-which-typescript-reads.md). No other module casts for
 * one, and test/frontends/typescript/compiler-internals.test.ts pins each.
 */
import type { ts } from 'ts-morph';

/** Returns the type of a mapped type's keys, once its members were asked for. */
export function keysOfMapped({
  constraintType,
}: ts.Type & { constraintType?: ts.Type }): ts.Type | undefined {
  return constraintType;
}

/** Returns the union as it was composed of named ones. */
export function originOf({ origin }: ts.UnionType & { origin?: ts.Type }): ts.Type | undefined {
  return origin;
}

/** All comments before a node: the public API returns the last only, and a `@typedef` often stands before it. */
export function jsDocOf({ jsDoc = [] }: ts.Node & { jsDoc?: readonly ts.JSDoc[] }): readonly ts.JSDoc[] {
  return jsDoc;
}
