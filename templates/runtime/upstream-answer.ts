// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** An answer of the API, decoded by its media type. Hooks of the project get it too. */
import type { Json } from './contract/json-schema.ts';

export type AnswerBody =
  | { kind: 'none' }
  | {
      kind: 'json';
      value: Json;
      /** The text it was read from, where reading lost digits of a number. */
      text?: string;
    }
  | {
      kind: 'text';
      text: string;
      /** Says why it is broken: the call counts as failed. */
      fault?: string;
    }
  | { kind: 'bytes'; bytes: Uint8Array }
  | {
      /** Bytes that were saved in the files folder. */
      kind: 'file';
      path: string;
      name: string;
      /** Bytes. */
      size: number;
    };

export interface UpstreamAnswer {
  status: number;
  /** A status of the 200s. */
  ok: boolean;
  /** `Content-Type` as sent, where it names a type. */
  mediaType?: string;
  /** By lower-case name; repeated ones joined by `, `. Without credentials. */
  headers: Readonly<Record<string, string>>;
  /** Where the request went, without credentials. */
  url: string;
  body: AnswerBody;
  /** The body was cut to a limit. Default false. */
  truncated?: boolean;
  /** Says in a sentence or two which part was cut. Set with `truncated`. */
  cut?: string;
  /** Advice for the operator of this server after a refusal. */
  hint?: string;
}
