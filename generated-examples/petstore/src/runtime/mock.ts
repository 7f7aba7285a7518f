/**
 * What `src/generated/mock.json` holds: what the API is said to answer, for `--mock`. Data, never code; the compiler's
 * model uses these very types. Bounded when compiling: what is too large is left out.
 */
import type { Json, JsonSchema } from './contract/json-schema.ts';

/** The success of one operation. */
export interface MockAnswer {
  status: number;
  /** As the document has it, perhaps a range (`image/*`). Absent: the answer has no body. */
  mediaType?: string;
  /** Those that results show, by their names in lower case, each by what it holds. Default none. */
  headers?: Record<string, JsonSchema>;
  /** The document's example, by its place in `examples`. */
  example?: number;
  /** What the answer must be, where there is no example; refers to `schemas` as `#/$defs/<name>`. */
  schema?: JsonSchema;
}

export interface Mock {
  /** By `<method> <path>`, as in the bindings. What is not there answers 204. */
  answers: Record<string, MockAnswer>;
  /** A text may also stand for JSON or for bytes in base64. */
  examples: Json[];
  schemas: Record<string, JsonSchema>;
  /** Of a server with several APIs: each by its name, and the rest is empty. */
  apis?: Record<string, Mock>;
}
