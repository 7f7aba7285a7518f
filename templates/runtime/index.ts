// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** What functions import from `mcpgen/runtime`. */
import type { Content, JsonObject, PromptResult, ResourceInfo, ResourceReader, ToolInfo } from './types.ts';

export { parseJson as readJson, writeJson } from './json-rpc.ts';
export { ApiError, ProtocolError, ToolError } from './types.ts';
// Also the types that features add there.
export type * from './types.ts';
export type {
  Content as ContentBlock,
  PromptInfo as ListedPrompt,
  ResourceInfo as ListedResource,
  TemplateInfo as ListedResourceTemplate,
  ToolInfo as ListedTool,
} from './types.ts';
export type Icon = NonNullable<ToolInfo['icons']>[number];
export type ToolAnnotations = NonNullable<ToolInfo['annotations']>;
export type PromptMessage = PromptResult['messages'][number];
export type ResourceAnswer = Awaited<ReturnType<ResourceReader>>;
export type Ending = () => void | Promise<void>;
export type TextContent = Extract<Content, { type: 'text' }>;
export type ImageContent = Extract<Content, { type: 'image' | 'audio' }> & { type: 'image' };
export type AudioContent = Extract<Content, { type: 'image' | 'audio' }> & { type: 'audio' };
export type EmbeddedResource = Extract<Content, { type: 'resource' }>;
export type ResourceLink = Extract<Content, { type: 'resource_link' }>;
export type VariableValue = string | number | bigint | boolean | readonly (string | number)[] | undefined;
/** What a `@list` function returns: URIs, or items with a URI or the variables of its template. */
export type TemplateResource = Partial<Omit<ResourceInfo, 'uri'>> &
  ({ uri: string } | { variables: Record<string, VariableValue> });

/** Who calls, where callers are asked. */
export interface AuthInfo {
  readonly issuer: string;
  /** Unique only together with the issuer. */
  readonly subject: string;
  readonly clientId?: string;
  readonly scopes: readonly string[];
  /** Seconds since 1970. */
  readonly expiresAt?: number;
  readonly claims: Readonly<JsonObject>;
}

declare const constraint: unique symbol;

/** A type that only constrains another: `number & Minimum<0>` is given and used as a number. */
interface Constraint<K extends string, V> {
  readonly [constraint]?: Readonly<Record<K, V>>;
}
export type Minimum<N extends number | bigint> = Constraint<'minimum', N>;
export type Maximum<N extends number | bigint> = Constraint<'maximum', N>;
export type ExclusiveMinimum<N extends number | bigint> = Constraint<'exclusiveMinimum', N>;
export type ExclusiveMaximum<N extends number | bigint> = Constraint<'exclusiveMaximum', N>;
export type MultipleOf<N extends number | bigint> = Constraint<'multipleOf', N>;
export type Integer = Constraint<'multipleOf', 1>;
export type MinLength<N extends number> = Constraint<'minLength', N>;
export type MaxLength<N extends number> = Constraint<'maxLength', N>;
export type Pattern<S extends string> = Constraint<'pattern', S>;
export type Format<S extends string> = Constraint<'format', S>;
export type MinItems<N extends number> = Constraint<'minItems', N>;
export type MaxItems<N extends number> = Constraint<'maxItems', N>;
export type UniqueItems = Constraint<'uniqueItems', true>;
