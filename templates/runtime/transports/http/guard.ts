// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The guard that asks callers for tokens, as HTTP sees it. The feature oauth implements it. */
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { BlockList } from 'node:net';
import type { Caller } from '../../core/call.ts';
import type { Answered } from '../../core/core.ts';
import type { AuthDefinition, Implementation, VerifyToken } from '../../definition.ts';
import type { FeatureLoaders } from '../../feature-loaders.ts';
import type { RequestId } from '../../protocol/json-rpc.ts';
import { isForScopes } from './http-answer.ts';
import type { HttpCall } from './http-context.ts';
import { idOf, type Posted } from './read-body.ts';

/** A public document, such as the metadata of the protected resource. */
export interface OpenDocument {
  status: number;
  headers: OutgoingHttpHeaders;
  body: string;
}

export interface Guard {
  /** A warning about the configuration, logged once, when the server starts. */
  readonly warning?: string | undefined;
  /** By path, served without a token. */
  readonly documents: ReadonlyMap<string, () => OpenDocument | Promise<OpenDocument>>;
  /**
   * Resolves at once if the token is known.
   *
   * @throws {HttpRefusal} 400, 401, 429, or 503 where tokens can't be checked now; so it may reject
   */
  admit(request: IncomingMessage): Promise<Caller>;
  /**
   * Demands `scopes`, and those that every request needs, where no method of the core does.
   *
   * @throws {HttpRefusal} 403
   */
  demand(scopes: readonly string[], caller: Caller, id?: RequestId): void;
  /** Whether the caller has `scopes`, and those that every request needs. */
  covers(scopes: readonly string[], caller: Caller): boolean;
  /** `WWW-Authenticate` of a refusal for lack of scopes (RFC 6750, section 3): `scopes` are all that the request needs. */
  lacking(scopes: readonly string[], caller: Caller): string;
}

export interface GuardOptions {
  definition: AuthDefinition;
  info: Implementation;
  env: Readonly<Record<string, string | undefined>>;
  features?: FeatureLoaders;
  /** Where the server is reached: `/mcp`. */
  paths: readonly string[];
  /** All that items need. */
  scopes: readonly string[];
  verifyToken?: VerifyToken | undefined;
  /** Trusted proxies, whose `X-Forwarded-For` names the client. Default none. */
  proxies?: BlockList | undefined;
  /** Reports internal errors, which clients don't see. */
  report: (thrown: unknown) => void;
  /** Logs when the rate of token checks of an address begins and ends to be limited. */
  warn?: ((words: string) => void) | undefined;
}

/** Rejects with a `UsageError` if the environment names no issuer. */
export type OpenGuard = (options: GuardOptions) => Promise<Guard>;

/**
 * Demands the scopes that every request needs of messages that no method answers: notifications, answers of the client,
 * batches, `initialize`. A method demands its own.
 *
 * @throws {HttpRefusal} 403
 */
export function demandScopes(
  posted: Posted,
  { guard }: { guard?: Guard | undefined },
  caller: Caller | undefined,
): void {
  if (caller === undefined || (posted.kind === 'request' && posted.method !== 'initialize')) return;
  guard?.demand([], caller, idOf(posted));
}

/**
 * Sets `WWW-Authenticate` on a refusal for lack of scopes; of a batch, if all its answers are such refusals.
 */
export function challengeScopes(answer: Answered, { response, context: { guard }, caller }: HttpCall): void {
  if (guard === undefined || caller === undefined || answer === undefined || response.headersSent) return;
  const answers = Array.isArray(answer) ? answer : [answer];
  if (answers.length === 0 || !answers.every(isForScopes)) return;
  const scopes = new Set(answers.flatMap((each) => each.scopes));
  response.setHeader('www-authenticate', guard.lacking([...scopes], caller));
}
