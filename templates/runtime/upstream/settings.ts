// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Settings of the project and its environment for calls of the API. */
import type { IncomingMessage } from 'node:http';

import type { HttpBinding, SecurityRequirement } from '../contract/bindings.ts';
import type { Json } from '../contract/json-schema.ts';
import type { AfterResponse, BeforeRequest } from '../definition.ts';
import type { UpstreamLimits } from '../limits.ts';
import type { Redact } from '../redact.ts';
import type { CallerAccess, OpenOnBehalf } from '../upstream-hooks.ts';
import type { BodyWriters, FileArgument } from './body.ts';
import type { Deadline } from './deadline.ts';
import type { ChooseDispatcher, ProxyFeature } from './dispatcher.ts';
import type { Access, Credentials, Tokens } from './security.ts';
import type { WireAnswer } from './send.ts';
import type { StreamedBody, WireRequest } from './wire-request.ts';

export interface UpstreamSettings {
  /** `--base-url`: replaces the document's root server, path included. */
  baseUrl?: string;
  /** The base URL chosen when compiling; weaker than `baseUrl` and than `API_BASE_URL`. */
  defaultBaseUrl?: string;
  /** `API_BASE_URL` and the variables named by the security schemes are read at each call. */
  env: Readonly<Record<string, string | undefined>>;
  limits: UpstreamLimits;
  /** The folder whose files may be sent, and where answers of many bytes are saved, `--files`. Absent: none is. */
  filesRoot?: string;
  /** Default none. */
  features?: UpstreamFeatures | undefined;
  /** Sent as `User-Agent`, which some APIs demand. Default `mcp-server`. */
  userAgent?: string;
  beforeRequest?: BeforeRequest;
  afterResponse?: AfterResponse;
  /** Answers in the API's place, so that nothing is sent: `--mock`. */
  answer?: (wire: WireRequest, binding: HttpBinding, tool: string | undefined) => WireAnswer;
}

/**
 * Features of the client that a project has if its document needs them. Types only, and none from the features' modules, so
 * that a project type-checks without them.
 */

export interface UpstreamFeatures {
  /** Writes multipart and XML bodies. */
  bodies?: () => Promise<BodyWriters>;
  /** Fetches OAuth tokens by client credentials. */
  clientCredentials?: () => Promise<ClientCredentialsFeature>;
  exchange?: () => Promise<ExchangeFeature>;
  /** Goes through proxies, and reads certificates of clients. */
  proxy?: () => Promise<ProxyFeature>;
  /** Reads bodies from the files folder, and saves answers in it. */
  files?: () => Promise<FilesFeature>;
  /** Reads answers that are sequences: events, JSON lines. */
  sequences?: () => Promise<SequencesFeature>;
}

interface ClientCredentialsFeature {
  TokenSource: new (
    limits: UpstreamLimits,
    chooseDispatcher: ChooseDispatcher,
  ) => Pick<Tokens, 'get' | 'forget'>;
}

interface ExchangeFeature {
  openOnBehalf: OpenOnBehalf;
  /** Rejects when the caller's credentials can't be found, or with the deadline's reason. */
  chooseForCaller(
    access: Access,
    caller: CallerAccess,
    tokens: Tokens,
    deadline: Deadline,
  ): Promise<CallerChoice>;
}

/** The credentials that a call on behalf of its caller uses. */
export interface CallerChoice {
  /** With what was found. */
  access: Access;
  credentials: Credentials;
  /** Undefined: none can be met. */
  requirement: SecurityRequirement | undefined;
}

interface FilesFeature {
  /** @throws {UpstreamError} `argument` for a file that may not be sent, or is none */
  streamedBody(pieces: readonly (Buffer | FileArgument)[], settings: UpstreamSettings): Promise<StreamedBody>;
  /** @throws {UpstreamError} `file` when the answer is too long or can't be saved */
  readOrSave(
    response: IncomingMessage,
    wire: WireRequest,
    options: SaveOptions,
  ): Promise<{ body: Buffer; saved?: SavedFile }>;
}

export interface SaveOptions {
  filesRoot: string;
  limits: Pick<UpstreamLimits, 'inlineBytes' | 'fileBytes'>;
  /** Redacts the name, which the API may suggest. */
  redact?: Redact | undefined;
}

/** A file that an answer was saved as. */
export interface SavedFile {
  path: string;
  name: string;
  /** Bytes. */
  size: number;
}

interface SequencesFeature {
  /** @throws {Error} when the call was cancelled, or when the connection failed before an item came */
  readSequence(response: IncomingMessage, mediaType: string, options: SequenceOptions): Promise<Sequence>;
}

/** An answer that is a sequence. */
export interface Sequence {
  /** Its items as one list; with the text it would be read from where reading lost digits of a number. */
  read(redact: Redact): { value: Json[]; text?: string };
  /** Describes the part that is there, where it is not all. */
  part?: string;
}

export interface SequenceOptions {
  limits: Pick<UpstreamLimits, 'responseBytes' | 'streamItems' | 'streamMs'>;
  deadline: Deadline;
  /** Called with the number of items so far, whenever more come. */
  onItems?: ((count: number) => void) | undefined;
}
