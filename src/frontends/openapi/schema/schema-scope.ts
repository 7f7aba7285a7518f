import type {
  Json,
  JsonSchema,
  JsonSchemaObject,
} from '../../../../templates/runtime/contract/json-schema.ts';
import type { Rec } from '../document/record.ts';
import type { Report } from '../report.ts';
import { type RecordNode, type SourceNode, childOf, originOf } from '../reference/source-node.ts';

export interface SchemaScope {
  node: RecordNode;
  raw: Rec;
  out: JsonSchemaObject;
  depth: number;
  report: Report;
  convert: (node: SourceNode, depth: number) => JsonSchema;
  /** For members of `owner`'s `allOf`, where a discriminated parent stands for itself only. */
  convertExtended: (node: SourceNode, depth: number, owner: RecordNode) => JsonSchema;
  /** For `if` and `not`: see `readTest`. */
  convertTest: (node: SourceNode, depth: number) => JsonSchema;
  isTest: boolean;
  example?: Json;
  /** Set if a keyword is unusable, so the schema accepts anything. */
  open?: boolean;
}

export type KeywordReader = (value: unknown, keyword: string, scope: SchemaScope) => void;

export function reportKeyword(scope: SchemaScope, keyword: string, expected: string): void {
  const at = originOf(childOf(scope.node, keyword, undefined));
  scope.report('invalid-keyword', { keyword, expected }, { at });
}

export function convertMember(scope: SchemaScope, keyword: string, value: unknown): JsonSchema {
  return scope.convert(childOf(scope.node, keyword, value), scope.depth + 1);
}
