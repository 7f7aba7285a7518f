// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Limits of calls of the API. A module of its own, since every server reads it for the table of features. */

export interface UpstreamLimits {
  /** Milliseconds for a whole call: retries, redirects and the answer's body included. Default 60,000. */
  timeoutMs: number;
  /** Bytes read of one answer, after decompression. Default 10 MiB. */
  responseBytes: number;
  /** Bytes of one file of the files folder that is sent or saved. Default 1 GiB. */
  fileBytes: number;
  /** Bytes of an answer that is handed over as base64 where there is a files folder; longer ones are saved. Default 1 MiB. */
  inlineBytes: number;
  /** Items read of an answer that is a sequence: events, JSON lines. Default 1,000. */
  streamItems: number;
  /**
   * Milliseconds that a sequence is read for: then what has come is the answer. Default 45,000, since clients wait for
   * a minute.
   */
  streamMs: number;
  /** Characters of text or JSON handed to the client; clients cap a result near 25,000 tokens. Default 100,000. */
  resultCharacters: number;
  /** Redirects followed in one call. Default 5. */
  redirects: number;
  /** Repetitions of an idempotent request after a passing failure. Default 2. */
  retries: number;
  /** The first pause before a repetition, in milliseconds; doubles each time, with jitter. Default 200. */
  retryDelayMs: number;
  /** The longest `Retry-After` that is waited for, in milliseconds. Default 10,000. */
  retryAfterMs: number;
  /** Requests that run at one time; others wait until their timeout. Default: no limit. */
  concurrency?: number;
}

export const defaultUpstreamLimits: UpstreamLimits = {
  timeoutMs: 60_000,
  responseBytes: 10 * 1024 * 1024,
  fileBytes: 1024 * 1024 * 1024,
  inlineBytes: 1024 * 1024,
  streamItems: 1_000,
  streamMs: 45_000,
  resultCharacters: 100_000,
  redirects: 5,
  retries: 2,
  retryDelayMs: 200,
  retryAfterMs: 10_000,
};
