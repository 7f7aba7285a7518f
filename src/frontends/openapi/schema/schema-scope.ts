import type {
  Json,
  JsonSchema,
  JsonSchemaObject,
} from '../../../../templates/runtime/contract/json-schema.ts';
import type { Rec } from '../document/record.ts';
import type { Report } from '../report.ts';
import { type RecordNode, type SourceNode, childOf, originOf } from '../reference/source-node.ts';

/** One schema object while it is being converted. */
export interface SchemaScope {
  node: RecordNode;
  raw: Rec;
  out: JsonSchemaObject;
  /** Levels of nesting above it. */
  depth: number;
  report: Report;
  convert: (node: SourceNode, depth: number) => JsonSchema;
  /** As `convert`, for a member of the `allOf` of `owner`, where a discriminated parent is only itself. */
  convertExtended: (node: SourceNode, depth: number, owner: RecordNode) => JsonSchema;
  /** As `convert`, for a schema that only asks: see `readTest`. */
  convertTest: (node: SourceNode, depth: number) => JsonSchema;
  /** Whether it stands inside of such a schema. */
  isTest: boolean;
  /** Set by `example`, or else `examples`. */
  example?: Json;
  /** Set when a keyword leaves nothing to say: the schema accepts anything. */
  open?: boolean;
}

/** Puts one keyword into the converted schema. */
export type KeywordReader = (value: unknown, keyword: string, scope: SchemaScope) => void;

export function reportKeyword(scope: SchemaScope, keyword: string, expected: string): void {
  const at = originOf(childOf(scope.node, keyword, undefined));
  scope.report('invalid-keyword', { keyword, expected }, { at });
}

export function convertMember(scope: SchemaScope, keyword: string, value: unknown): JsonSchema {
  return scope.convert(childOf(scope.node, keyword, value), scope.depth + 1);
}
