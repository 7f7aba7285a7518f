// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Credentials that callers have of their own for an API behind the server. Types only. */
import type { Bindings, SecuritySchemeBinding } from './contract/bindings.ts';
import type { Json } from './contract/json-schema.ts';
import type { AuthDefinition, AuthInfo } from './definition.ts';
import type { FeatureLoaders } from './feature-loaders.ts';

/** The schemes whose credentials can be a caller's own. A client certificate is the server's. */
export type CallerScheme = Exclude<SecuritySchemeBinding, { type: 'mutualTLS' | 'unsupported' }>;

/** The argument of `upstreamCredentials`. The caller's token is not in it. */
export interface CredentialsRequest {
  readonly caller: AuthInfo;
  /** The API's name, in a server of several. */
  readonly api?: string;
  /** The security scheme, as the document names it. */
  readonly scheme: string;
  readonly type: CallerScheme['type'];
  /** Scopes that the operation needs. */
  readonly scopes: readonly string[];
  /** Where the request goes: `https://api.example.com`. */
  readonly origin: string;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** By the type of the scheme: `apiKey`, `basic`, `bearer` and `oauth2`, `http` (what follows the scheme's name). */
export type CallerCredentials = (
  { apiKey: string } | { username: string; password?: string } | { token: string } | { authorization: string }
) & {
  /** Seconds since 1970, until which they are kept for this caller. Default: they are not kept. */
  expiresAt?: number;
};

/**
 * Credentials of the one who calls. `undefined` leaves the call to the token exchange where there is one; else to
 * `onBehalf`. What it throws refuses the call: with the words of a `ToolError`; of any other error the log has them, and the
 * caller learns that it happened.
 */
export type UpstreamCredentials = (
  request: CredentialsRequest,
) => CallerCredentials | undefined | Promise<CallerCredentials | undefined>;

/** A call without the caller's credentials: `required` refuses it, `optional` sends it with the server's own. */
export type OnBehalfMode = 'required' | 'optional';

/** Parameters of the request to the token endpoint (RFC 8693, section 2.1), where the environment does not set them for all. */
export interface ExchangeRule {
  audience?: string[];
  resource?: string[];
  /** Default: what the operation needs. */
  scopes?: string[];
}

/** A scheme of which a request needs credentials. */
export interface WantedCredentials {
  api: string | undefined;
  name: string;
  scheme: CallerScheme;
  scopes: readonly string[];
  origin: string;
}

export type FoundCredentials =
  /** The caller's, by the scheme's environment variables. `forget`: the API refused them. */
  | { kind: 'caller'; values: Readonly<Record<string, string>>; forget: () => void }
  /** The server's own count. */
  | { kind: 'server' }
  /** There are none, and the server's own must not be used. */
  | { kind: 'none' };

/** The request that waits for credentials, and may be cancelled. */
export interface Waiting {
  onEnd(callback: () => void): () => void;
}

/** The credentials of one caller. */
export interface CallerAccess {
  find(wanted: WantedCredentials, waiting: Waiting): Promise<FoundCredentials>;
  /** Told which schemes' credentials are the caller's, of each request that is sent. */
  used(schemes: readonly string[]): void;
}

/** Undefined where neither the project's code nor the environment brings credentials of callers. */
export type OnBehalf = (caller: AuthInfo) => Omit<CallerAccess, 'used'>;

/** Returns undefined if nothing brings credentials of callers. @throws {UsageError} if the environment or the definition can't be used */
export type OpenOnBehalf = (options: {
  definition: Pick<AuthDefinition, 'onBehalf' | 'exchange'>;
  env: Readonly<Record<string, string | undefined>>;
  bindings: Pick<Bindings, 'upstream' | 'upstreams'>;
  upstreamCredentials: UpstreamCredentials | undefined;
  features?: FeatureLoaders | undefined;
  /** Logs faults of the project's own code. */
  report: (thrown: unknown) => void;
}) => OnBehalf | undefined;

/** An answer of the API, decoded by its media type. Hooks of the project get it too. */

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
