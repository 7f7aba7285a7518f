/** What the API answered, decoded as far as its media type says: for hooks of the project too. */
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
      /** What is wrong with it: the call counts as failed. */
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
  /** What was cut, in a sentence or two for the one who asked. Set with `truncated`. */
  cut?: string;
  /** What the one who runs this server can do about a refusal. */
  hint?: string;
}
