/** The API's answer, decoded as far as its media type says: for hooks of the project too. */
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
      /** The fault of the answer: the call counts as failed. */
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
  /** A sentence or two for the client on what was cut. Set with `truncated`. */
  cut?: string;
  /** Advice for the operator of this server on a refusal. */
  hint?: string;
}
