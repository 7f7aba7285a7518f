/** Calls the API: one binding and its arguments in, one answer out. */
import type { HttpBinding, UpstreamBinding } from '../contract/bindings.ts';
import type { AfterResponse } from '../definition.ts';
import type { CallerAccess } from '../on-behalf.ts';
import {
  applyHook,
  baseUrlSecrets,
  composeRequest,
  type Draft,
  hookRequest,
  withCredentials,
} from './compose-request.ts';
import type { StreamedBody, WireRequest } from './wire-request.ts';
import { type ChooseDispatcher, createDispatchers } from './dispatcher.ts';
import { type Caller, Deadline, Semaphore, within } from './deadline.ts';
import type { WireAnswer } from './send-request.ts';
import type { BodyWriters } from './body.ts';
import type { FileArgument } from './bytes.ts';
import { limitAnswer, readAnswer } from './read-answer.ts';
import { redactor, withoutSecrets, type Redact } from '../redact.ts';
import {
  type Credentials,
  type Access,
  chooseRequirement,
  missingCredentials,
  readCredentials,
  refusedHint,
  type Tokens,
  unsetHint,
} from './security.ts';
import { send } from './send.ts';
import { addressVariable } from './server-url.ts';
import type { UpstreamSettings } from './settings.ts';
import { missingFeature, UpstreamError } from './upstream-error.ts';
import type { UpstreamAnswer } from '../upstream-answer.ts';

export interface UpstreamClient {
  /**
   * Sends the request and returns whatever the API answered, errors included.
   * @throws {UpstreamError} when nothing could be sent, or no whole answer came; or what a hook threw.
   */
  call(binding: HttpBinding, args: Record<string, unknown>, options: CallOptions): Promise<UpstreamAnswer>;
}

export interface CallOptions {
  /** Its leaving ends the call, and the request with it. */
  caller?: Caller | undefined;
  /** Successes of many bytes are saved in the files folder, where there is one. Default false. */
  savesFiles?: boolean;
  /** Told how many items of a sequence (events, JSON lines) have come, as more come. */
  onItems?: ((count: number) => void) | undefined;
  /** Whose work it is, for hooks. */
  tool?: string | undefined;
  /** Brings credentials of the one it is made for. Default: the server's own count. */
  onBehalf?: CallerAccess | undefined;
  /** Whether a text holds the caller's own token: nothing is sent that does. Default: callers have none. */
  isOwnToken?: ((text: string) => boolean) | undefined;
  /** Sent too, names in lower case: they replace arguments, and credentials that travel under the name. */
  headers?: readonly [name: string, value: string][] | undefined;
}

/** What a call and its parts need. */
interface Call {
  binding: HttpBinding;
  access: Access;
  settings: UpstreamSettings;
  draft: Draft;
  chooseDispatcher: ChooseDispatcher;
  slots: Semaphore | undefined;
  deadline: Deadline;
  filesRoot: string | undefined;
  onItems: CallOptions['onItems'];
  tool: CallOptions['tool'];
  onBehalf: CallOptions['onBehalf'];
  isOwnToken: CallOptions['isOwnToken'];
}

/** A request that was sent, and what came of it. */
interface Exchanged {
  wire: WireRequest;
  credentials: Credentials;
  redact: Redact;
  answer: WireAnswer;
}

/** A client holds OAuth tokens: make one per API and keep it. */
export function createUpstreamClient(api: UpstreamBinding, settings: UpstreamSettings): UpstreamClient {
  const { env, limits } = settings;
  const chooseDispatcher = createDispatchers(env, limits.timeoutMs, settings.features?.proxy);
  const tokens = lazyTokens(settings, chooseDispatcher);
  let slots: Semaphore | undefined;
  const bounded = (most: number) => (slots ??= new Semaphore(most));
  return {
    async call(binding, args, options) {
      const { caller, onItems, onBehalf, isOwnToken, savesFiles, tool, headers: passed = [] } = options;
      const loading = loadWriters(binding, settings.features);
      const draft = composed(api, binding, args, settings, loading && (await loading));
      for (const [name, value] of passed) draft.headers.setOctets(name, value);
      const deadline = new Deadline(limits.timeoutMs, caller);
      try {
        if (Array.isArray(draft.body)) draft.body = await findFiles(draft.body, settings);
        const call = {
          binding,
          access: { api, binding, env, server: draft.server, passed },
          settings,
          chooseDispatcher,
          slots: limits.concurrency === undefined ? undefined : bounded(limits.concurrency),
          draft,
          deadline,
          filesRoot: savesFiles === true ? settings.filesRoot : undefined,
          onItems,
          tool,
          onBehalf,
          isOwnToken,
        };
        const exchanged = await exchange(call, tokens);
        return withHint(call, exchanged.credentials, await conclude(call, exchanged));
      } finally {
        deadline.clear();
      }
    },
  };
}

async function findFiles(
  pieces: readonly (Buffer | FileArgument)[],
  settings: UpstreamSettings,
): Promise<StreamedBody> {
  const files = settings.features?.files;
  if (files === undefined) throw missingFeature('transfers', 'send files');
  return (await files()).streamedBody(pieces, settings);
}

/** Undefined for requests that hold neither multipart nor XML. */
function loadWriters(
  { body, parameters }: HttpBinding,
  features: UpstreamSettings['features'],
): Promise<BodyWriters> | undefined {
  const mayHold = body?.kind === 'multipart' || body?.kind === 'xml' || body?.encoding !== undefined;
  if (!mayHold && !parameters.some(({ encoding }) => encoding !== undefined)) return undefined;
  return features?.bodies?.();
}

/** Tokens are fetched by a part that loads with the first of them. */
function lazyTokens({ features, limits }: UpstreamSettings, chooseDispatcher: ChooseDispatcher): Tokens {
  let source: Promise<Pick<Tokens, 'get' | 'forget'>> | undefined;
  const open = async (): Promise<Pick<Tokens, 'get' | 'forget'>> => {
    if (features?.clientCredentials === undefined)
      throw missingFeature('client-credentials', 'ask for an OAuth token');
    const { TokenSource } = await features.clientCredentials();
    return new TokenSource(limits, chooseDispatcher);
  };
  return {
    readCertificate: async (...of) => {
      if (features?.proxy === undefined) throw missingFeature('proxy', 'use a client certificate');
      return (await features.proxy()).readCertificate(...of);
    },
    get: async (request) => (await (source ??= open())).get(request),
    forget: (request) => void source?.then((tokens) => tokens.forget(request)),
  };
}

/** Arguments can be nested more deeply than anything that goes down by itself can follow. */
function composed(...given: Parameters<typeof composeRequest>): Draft {
  try {
    return composeRequest(...given);
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    throw new UpstreamError('argument', 'The arguments are nested too deeply to be sent. Give fewer levels.');
  }
}

/** Refused credentials that can be had anew are renewed once: the request has not been carried out. */
function exchange(call: Call, tokens: Tokens): Promise<Exchanged> {
  const { access, onBehalf } = call;
  if (onBehalf !== undefined) return exchangeForCaller(call, onBehalf, tokens);
  const requirement = chooseRequirement(access);
  return sendRenewing(call, readCredentials(access, requirement ?? {}, tokens), requirement === undefined);
}

async function exchangeForCaller(call: Call, caller: CallerAccess, tokens: Tokens): Promise<Exchanged> {
  const { exchange: load } = call.settings.features ?? {};
  if (load === undefined) throw missingFeature('exchange', 'use credentials of its callers');
  const { chooseForCaller } = await load();
  const { access, credentials, requirement } = await chooseForCaller(
    call.access,
    caller,
    tokens,
    call.deadline,
  );
  return sendRenewing({ ...call, access }, credentials, requirement === undefined);
}

async function sendRenewing(
  call: Call,
  reading: Credentials | Promise<Credentials>,
  isMissing: boolean,
): Promise<Exchanged> {
  const first = reading instanceof Promise ? await within(call.deadline, reading) : reading;
  const exchanged = await sendWith(call, first, isMissing);
  if (exchanged.answer.status !== 401 || first.renew === undefined) return exchanged;
  return sendWith(call, await within(call.deadline, first.renew()), false);
}

async function sendWith(call: Call, credentials: Credentials, isMissing: boolean): Promise<Exchanged> {
  const { access, settings, deadline, filesRoot, onItems, chooseDispatcher, slots } = call;
  const { limits } = settings;
  const wire = withCredentials(call.draft, credentials);
  const variable = addressVariable(access.api, call.binding, access.env);
  const hook = settings.beforeRequest;
  const redact = redactor([...credentials.secrets, ...baseUrlSecrets(call.draft.server)]);
  try {
    const isChanged = hook !== undefined && (await applyHook(wire, hook, call.tool));
    // A hook that changes something may have brought the credentials itself.
    if (isMissing && !isChanged) throw missingCredentials(access);
    if (call.isOwnToken !== undefined) refuseOwnToken(wire, call.isOwnToken);
    if (credentials.ofCaller !== undefined) call.onBehalf?.used(credentials.ofCaller);
    return {
      wire,
      credentials,
      redact,
      answer:
        settings.answer?.(wire, call.binding, call.tool) ??
        (await send(wire, {
          limits,
          deadline,
          filesRoot,
          onItems,
          features: settings.features,
          redact,
          chooseDispatcher,
          slots,
          addressVariable: variable,
        })),
    };
  } catch (thrown) {
    throw withoutSecrets(thrown, redact);
  }
}

/** A token that is for this server alone proves nothing to an API, which could use it here (MCP, "Token Passthrough"). */
function refuseOwnToken({ target, headers, body }: WireRequest, isOwnToken: (text: string) => boolean): void {
  const texts = [target, ...headers.names().map((name) => headers.get(name) ?? '')];
  if (![...texts, textOf(body)].some(isOwnToken)) return;
  throw new UpstreamError(
    'credentials',
    "Nothing was sent: the request held the caller's own token, which is for this MCP server alone.",
  );
}

/** As far as a token, which is ASCII, stands in it; a file of the user is not looked into. */
function textOf(body: WireRequest['body']): string {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? Buffer.from(body).toString('latin1') : '';
}

function conclude(call: Call, exchanged: Exchanged): UpstreamAnswer | Promise<UpstreamAnswer> {
  const { afterResponse, limits } = call.settings;
  const { answer, redact } = exchanged;
  const read = readAnswer(answer, redact(call.draft.url), redact);
  if (afterResponse !== undefined) return concludeByHook(call, exchanged, read, afterResponse);
  // What is short as sent is short as shown: no need to measure it.
  const isShort =
    !answer.truncated && answer.sequence === undefined && answer.body.length <= limits.resultCharacters;
  return isShort ? read : limitAnswer(read, limits);
}

async function concludeByHook(
  { settings: { limits }, tool }: Call,
  { wire, redact }: Exchanged,
  read: UpstreamAnswer,
  afterResponse: AfterResponse,
): Promise<UpstreamAnswer> {
  // A hook may take something out of the value, and its source text would bring it back.
  if (read.body.kind === 'json') delete read.body.text;
  try {
    return limitAnswer((await afterResponse(read, hookRequest(wire, tool))) ?? read, limits);
  } catch (thrown) {
    throw withoutSecrets(thrown, redact);
  }
}

/** A request that was refused for its credentials, or for having none: as anonymous, or with a hook's own. */
function withHint({ access }: Call, sent: Credentials, answer: UpstreamAnswer): UpstreamAnswer {
  if (answer.status !== 401 && answer.status !== 403) return answer;
  if (sent.ofCaller !== undefined) return answer.status === 401 ? { ...answer, hint: OF_CALLER } : answer;
  // 403 says that the credentials are good, and not enough (RFC 9110, section 15.5.4).
  const refused = answer.status === 401 ? refusedHint : () => undefined;
  const hint = sent.secrets.length > 0 ? refused(access) : unsetHint(access);
  return hint === undefined ? answer : { ...answer, hint };
}

const OF_CALLER =
  'This MCP server sent credentials of its caller, which may have been revoked: sign in again, at the API too where it has its own.';
