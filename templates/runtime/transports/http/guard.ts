/** What asks callers for a token, as far as HTTP must know: the part of the runtime for OAuth has it. Types only. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { BlockList } from 'node:net';
import type { Caller } from '../../core/call.ts';
import type { Answered } from '../../core/core.ts';
import type { AuthDefinition, Implementation, VerifyToken } from '../../definition.ts';
import type { FeatureLoaders } from '../../feature-loaders.ts';
import type { RequestId } from '../../protocol/json-rpc.ts';
import { isForScopes } from './http-answer.ts';
import { idOf, type Posted } from './read-body.ts';

/** What anyone may read: who issues tokens for this server, and the like. */
export interface OpenDocument {
  status: number;
  headers: OutgoingHttpHeaders;
  body: string;
}

export interface Guard {
  /** Of what is configured, for the one who runs the server: told once, when it serves. */
  readonly warning?: string | undefined;
  /** By path, served without a token. */
  readonly documents: ReadonlyMap<string, () => OpenDocument | Promise<OpenDocument>>;
  /**
   * At once where the token is known.
   *
   * @throws {HttpRefusal} 400, 401, 429, or 503 where tokens can't be checked now; so it may reject
   */
  admit(request: IncomingMessage): Promise<Caller>;
  /**
   * For what no method of the core answers, which asks for scopes itself. `scopes`: beside those that every request needs.
   *
   * @throws {HttpRefusal} 403
   */
  demand(scopes: readonly string[], caller: Caller, id?: RequestId): void;
  /** Whether it has them, and those that every request needs. */
  covers(scopes: readonly string[], caller: Caller): boolean;
  /** `WWW-Authenticate` of a refusal for want of scopes (RFC 6750, section 3): `scopes` are all that the request needs. */
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
  /** Whose word for where a request comes from is taken. Default: nobody's. */
  proxies?: BlockList | undefined;
  /** Told of what went wrong inside; the client is not. */
  report: (thrown: unknown) => void;
  /** Told, for the one who runs the server, when tokens of an address begin to be checked at a limited rate, and when that ends. Default: nobody is. */
  warn?: ((words: string) => void) | undefined;
}

/** Rejects with a `UsageError` where the environment does not say whose tokens count. */
export type OpenGuard = (options: GuardOptions) => Promise<Guard>;

/**
 * For what is posted and answered by no method: notifications, answers of the client, batches, and what opens a session. A
 * method asks for its own scopes too, and names all that the call needs.
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
 * Says with a refusal for want of scopes which token to come back with. In a batch there is one head for many answers: it
 * is theirs where all are refused so.
 */
export function challengeScopes(
  answer: Answered,
  response: ServerResponse,
  { guard }: { guard?: Guard | undefined },
  caller: Caller | undefined,
): void {
  if (guard === undefined || caller === undefined || answer === undefined || response.headersSent) return;
  const answers = Array.isArray(answer) ? answer : [answer];
  if (answers.length === 0 || !answers.every(isForScopes)) return;
  const scopes = new Set(answers.flatMap((each) => each.scopes));
  response.setHeader('www-authenticate', guard.lacking([...scopes], caller));
}
