import type { JsonSchema } from '../contract/json-schema.ts';

/** Bounds on the work one validation may do. */
export interface SchemaLimits {
  /** Subschemas being evaluated inside one another. Default 1,000: far from the end of the stack. */
  maxDepth?: number;
  /** Subschemas evaluated and members compared in one validation. Default 2,000,000: less than a second. */
  maxWork?: number;
  /** Errors reported of one value. Default 20. */
  maxErrors?: number;
  /** UTF-16 code units of a text that is tested against a `pattern`. Default 100,000. */
  maxPatternInput?: number;
}

/** Decides whether a text has a format. */
export type FormatTest = (text: string) => boolean;

export interface SchemaOptions extends SchemaLimits {
  /** Other schema documents by URI, for `$ref` and `$schema`. Nothing is ever fetched. */
  schemas?: Readonly<Record<string, JsonSchema>>;
  /** Formats that are asserted, by name (`commonFormats` of `formats.ts`). Default: `format` is an annotation. */
  formats?: Readonly<Record<string, FormatTest>>;
}

export const defaultLimits: Required<SchemaLimits> = {
  maxDepth: 1_000,
  maxWork: 2_000_000,
  maxErrors: 20,
  maxPatternInput: 100_000,
};
