// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * The data of `src/generated/mock.json`: answers of the API for `--mock`. Data, never code; the compiler's
 * model uses these very types. Bounded when compiling: what is too large is left out.
 */
import type { Json, JsonSchema } from './contract/json-schema.ts';

/** The success of one operation. */
export interface MockAnswer {
  status: number;
  /** As the document has it, perhaps a range (`image/*`). Absent: the answer has no body. */
  mediaType?: string;
  /** Schemas of the headers that results show, by lower-case name. Default none. */
  headers?: Record<string, JsonSchema>;
  /** The document's example, by its place in `examples`. */
  example?: number;
  /** The answer's schema, if there is no example; refers to `schemas` as `#/$defs/<name>`. */
  schema?: JsonSchema;
}

export interface Mock {
  /** By `<method> <path>`, as in the bindings. What is not there answers 204. */
  answers: Record<string, MockAnswer>;
  /** A text may also stand for JSON or for bytes in base64. */
  examples: Json[];
  schemas: Record<string, JsonSchema>;
  /** The APIs of a server with several, by name; the other members are empty then. */
  apis?: Record<string, Mock>;
}
