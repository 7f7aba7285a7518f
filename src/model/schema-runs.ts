/** Schemas that the user's code makes when it runs: exports of zod, ArkType and others. */
import type { AppFiles } from './app-files.ts';

/** An export that is a schema. `module` is its path below the project's `src/`. */
export interface WantedSchema {
  module: string;
  export: string;
}

/** A `WantedSchema` for the child process, which imports `url`. */
export interface WantedFile {
  url: string;
  export: string;
}

export type MadeSchema =
  | { problem: SchemaProblem }
  | {
      input: MadeJson;
      output: MadeJson;
      /** Whether the library's schema checks values itself. */
      validates: boolean;
    };

/** The JSON Schema as the library wrote it, or the reason why it has none. */
export type MadeJson = { schema: unknown } | { problem: SchemaProblem };

export type SchemaProblem =
  | { kind: 'no-schema' }
  /** `vendor`: the name that the library gives itself. */
  | { kind: 'old-library'; vendor: string }
  | { kind: 'not-in-json'; reason: string }
  | { kind: 'failed'; reason: string }
  | { kind: 'ended' }
  | { kind: 'too-slow'; seconds: number }
  | { kind: 'too-large' };

/**
 * Runs the code in a process of its own, and asks each export for its JSON Schema. Undefined for those that were not asked, since
 * an earlier one ended the process.
 */
export type RunSchemas = (app: AppFiles, requests: readonly WantedSchema[]) => (MadeSchema | undefined)[];
