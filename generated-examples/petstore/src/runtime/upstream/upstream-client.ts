// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Calls the API: a binding and arguments in, an answer out. */
import { type HttpBinding, type UpstreamBinding, needsParameterWriters } from '../contract/bindings.ts';
import type { Writers } from './body.ts';
import type { Json } from '../contract/json-schema.ts';
import { writeJson } from '../contract/json-value.ts';
import type { AnswerBody, UpstreamAnswer } from '../core/handler-result.ts';
import { mediaTypeEssence, isJsonType, isMediaRange } from '../contract/http-syntax.ts';
import type { CallerAccess, WatchAttempts } from '../feature-loaders.ts';
import {
  applyHook,
  secretsOfBaseUrl,
  commonHeaders,
  composeRequest,
  type Draft,
  requestForHook,
  makeRequestWithCredentials,
} from './compose-request.ts';
import { type ChooseDispatcher, createDispatcherChooser } from './dispatcher.ts';
import type { HeaderList, WireRequest } from './wire-request.ts';
import {
  type Waiter,
  Deadline,
  Semaphore,
  UpstreamError,
  loadFeature,
  rejectAtDeadline,
} from './upstream-error.ts';
import { type SendOptions, type WireAnswer, sendWithRedirects } from './send.ts';
import { limitAnswer, parseAnswer } from './read-answer.ts';
import { argumentSecrets, createRedactor, redactThrown, type Redact } from '../redact.ts';
import {
  type Credentials,
  type Access,
  chooseRequirement,
  missingCredentialsError,
  loadCredentials,
  hintForRefused,
  type Tokens,
  hintWithoutCredentials,
} from './security.ts';
import {
  type FixedHeaders,
  type UpstreamSettings,
  baseUrlVariableOf,
  resolveFixedHeaders,
} from './upstream-settings.ts';

export interface UpstreamClient {
  /**
   * Answers of any status are returned.
   * @throws {UpstreamError} when nothing was sent or no whole answer came; or what a hook threw
   */
  call(binding: HttpBinding, args: Record<string, unknown>, options: CallOptions): Promise<UpstreamAnswer>;
  /** Requests that wait for others to end (`API_CONCURRENCY`). */
  readonly waiting?: number;
}

export interface CallOptions {
  waiter?: Waiter | undefined;
  savesFiles?: boolean | undefined;
  /** Code reads the answer, so that no part of it is cut for a model. Default false. */
  isWhole?: boolean | undefined;
  /** Removes what the caller did not ask for from a JSON answer. Default: all of it stays. */
  keep?: ((value: Json) => Json) | undefined;
  onItems?: ((count: number) => void) | undefined;
  tool?: string | undefined;
  /** The caller's credentials. Default: the server's own are used. */
  onBehalf?: CallerAccess | undefined;
  /** Detects the caller's own token, which must not be sent. Default: callers have none. */
  isOwnToken?: ((text: string) => boolean) | undefined;
  /** Headers by lower-case name; these replace arguments, and credentials of the same name. */
  headers?: readonly [name: string, value: string][] | undefined;
  watch?: WatchAttempts | undefined;
}

interface Call extends SendOptions {
  binding: HttpBinding;
  access: Access;
  settings: UpstreamSettings;
  draft: Draft;
  options: CallOptions;
  ofArguments: ReturnType<typeof argumentSecrets>;
}

interface Attempt {
  wire: WireRequest;
  credentials: Credentials;
  redact: Redact;
  redactFailure: Redact;
  answer: WireAnswer;
}

/** Holds OAuth tokens: make one per API and keep it. */
export function createUpstreamClient(api: UpstreamBinding, settings: UpstreamSettings): UpstreamClient {
  const { env, limits, features } = settings;
  const chooseDispatcher = createDispatcherChooser(env, limits.timeoutMs, features?.proxy);
  const tokens = createLazyTokens(settings, chooseDispatcher);
  const slots = limits.concurrency === undefined ? undefined : new Semaphore(limits.concurrency);
  const operations = new WeakMap<HttpBinding, Operation>();
  const ofArguments = argumentSecrets(api, env);
  let writers: Writers | undefined;
  return {
    get waiting() {
      return slots?.waiting ?? 0;
    },
    async call(binding, args, options) {
      const { waiter, headers: passed = [], onBehalf } = options;
      let operation = operations.get(binding);
      if (operation === undefined)
        operations.set(binding, (operation = prepareOperationOfBinding(api, binding, settings)));
      if (operation.needsWriters)
        writers ??= { bodies: await features?.bodies?.(), parameters: await features?.parameters?.() };
      const { headers, fixed } = operation;
      const draft = composeRequest(api, binding, args, settings, { headers, fixed: fixed?.headers, writers });
      for (const [name, value] of passed) draft.headers.setUnchecked(name, value);
      const deadline = new Deadline(limits.timeoutMs, waiter);
      try {
        if (Array.isArray(draft.body)) {
          const { streamedBody } = await loadFeature(features?.files, 'transfers', 'send files');
          draft.body = await streamedBody(draft.body, settings);
        }
        const call: Call = {
          binding,
          access: { api, binding, env, server: draft.server, passed, fixed },
          settings,
          draft,
          options,
          ofArguments,
          limits,
          features,
          deadline,
          chooseDispatcher,
          slots,
          filesRoot: options.savesFiles === true ? settings.filesRoot : undefined,
          redact: undefined,
          onItems: options.onItems,
          watch: options.watch,
          addressVariable: () => baseUrlVariableOf(api, binding, env),
        };
        if (onBehalf !== undefined) return await callAsCaller(call, onBehalf, tokens);
        const requirement = chooseRequirement(call.access);
        const reading = loadCredentials(call.access, requirement ?? {}, tokens);
        const credentials = reading instanceof Promise ? await rejectAtDeadline(deadline, reading) : reading;
        return await runCall(call, credentials, requirement === undefined);
      } finally {
        deadline.clearDeadline();
      }
    },
  };
}

/** All calls of an operation share this. */
interface Operation {
  headers: HeaderList;
  needsWriters: boolean;
  fixed: FixedHeaders | undefined;
}

function prepareOperationOfBinding(
  api: UpstreamBinding,
  binding: HttpBinding,
  settings: UpstreamSettings,
): Operation {
  const { body } = binding;
  const needsWriters =
    body?.kind === 'multipart' ||
    body?.kind === 'xml' ||
    body?.encoding !== undefined ||
    needsParameterWriters(binding);
  return {
    headers: commonHeaders(binding, settings),
    needsWriters,
    fixed: resolveFixedHeaders(api, binding, settings),
  };
}

function createLazyTokens(
  { features, limits }: UpstreamSettings,
  chooseDispatcher: ChooseDispatcher,
): Tokens {
  let source: Promise<Pick<Tokens, 'get' | 'forget'>> | undefined;
  const loadTokenSource = () =>
    loadFeature(features?.clientCredentials, 'client-credentials', 'ask for an OAuth token').then(
      ({ TokenSource }) => new TokenSource(limits, chooseDispatcher),
    );
  return {
    readCertificate: async (scheme, env) => {
      const { readCertificate } = await loadFeature(features?.proxy, 'proxy', 'use a client certificate');
      return readCertificate(scheme, env);
    },
    get: async (request) => (await (source ??= loadTokenSource())).get(request),
    forget: async (request, refused) => (await source)?.forget(request, refused),
  };
}

async function callAsCaller(call: Call, caller: CallerAccess, tokens: Tokens): Promise<UpstreamAnswer> {
  const { features, deadline } = call;
  const { chooseCallerCredentials } = await loadFeature(
    features?.exchange,
    'exchange',
    'use credentials of its callers',
  );
  const { access, credentials, requirement } = await chooseCallerCredentials(
    call.access,
    caller,
    tokens,
    deadline,
  );
  return runCall({ ...call, access }, credentials, requirement === undefined);
}

/** Refused credentials are renewed once: the API has not carried out the request. */
async function runCall(call: Call, credentials: Credentials, isMissing: boolean): Promise<UpstreamAnswer> {
  let sent = await attemptRequest(call, credentials, isMissing);
  if (sent.answer.status === 401 && credentials.renew !== undefined)
    sent = await attemptRequest(call, await rejectAtDeadline(call.deadline, credentials.renew()), false);
  const { answer } = sent;
  const { settings } = call;
  const { keep } = call.options;
  const redact = answer.status >= 200 && answer.status < 300 ? sent.redact : sent.redactFailure;
  const limits = call.options.isWhole === true ? { ...call.limits, resultCharacters: Infinity } : call.limits;
  let read = parseAnswer(answer, redact(call.draft.url), redact, call.options.isWhole);
  if (settings.afterResponse !== undefined) read = await runAfterResponse({ ...call, limits }, sent, read);
  else if (keep !== undefined) read = limitAnswer(keepWantedMembers(read, keep), limits);
  // A body that is short as sent fits.
  else if (answer.truncated || answer.sequence !== undefined || answer.body.length > limits.resultCharacters)
    read = limitAnswer(read, limits);
  if (read.status === 401 || read.status === 403) return addCredentialsHint(call, sent.credentials, read);
  return read.ok && read.body.kind === 'text' ? readText(call, sent, read, read.body) : read;
}

/** A text in the place of JSON is an error, whatever the status says. */
function readText(
  call: Call,
  { credentials, redact, redactFailure }: Attempt,
  read: UpstreamAnswer,
  body: Extract<AnswerBody, { kind: 'text' }>,
): UpstreamAnswer {
  const answer = replaceHtmlPage(call, credentials, read);
  if (redact === redactFailure || (answer.ok && body.fault === undefined)) return answer;
  return { ...answer, body: { ...body, text: redactFailure(body.text, answer.truncated) } };
}

async function attemptRequest(call: Call, credentials: Credentials, isMissing: boolean): Promise<Attempt> {
  const { settings, binding, draft } = call;
  const { tool, isOwnToken, onBehalf } = call.options;
  const wire = makeRequestWithCredentials(draft, credentials);
  const { inAnswers, inFailures } = call.ofArguments;
  const ofHeaders = call.access.fixed?.secrets ?? [];
  const secrets = [...credentials.secrets, ...ofHeaders, ...secretsOfBaseUrl(draft.server)];
  const redact = createRedactor([...secrets, ...inAnswers]);
  const redactFailure = inFailures.length === 0 ? redact : createRedactor([...secrets, ...inFailures]);
  try {
    const hook = settings.beforeRequest;
    const isChanged = hook !== undefined && (await applyHook(wire, hook, tool));
    // A hook may add the credentials itself.
    if (isMissing && !isChanged) throw missingCredentialsError(call.access);
    if (isOwnToken !== undefined) refuseOwnToken(wire, isOwnToken);
    if (credentials.ofCaller !== undefined) onBehalf?.used(credentials.ofCaller);
    call.redact = redact;
    const answer = settings.answer?.(wire, binding, tool) ?? (await sendWithRedirects(wire, call));
    return { wire, credentials, redact, redactFailure, answer };
  } catch (thrown) {
    throw redactThrown(thrown, redactFailure);
  }
}

/** The API could call this server with a token meant for it alone (MCP, "Token Passthrough"). */
function refuseOwnToken({ target, headers, body }: WireRequest, isOwnToken: (text: string) => boolean): void {
  const texts = [target, ...headers.names().map((name) => headers.get(name) ?? '')];
  if (typeof body === 'string') texts.push(body);
  // Tokens are ASCII. Files are not searched.
  else if (body instanceof Uint8Array) texts.push(Buffer.from(body).toString('latin1'));
  if (!texts.some(isOwnToken)) return;
  throw new UpstreamError(
    'credentials',
    "Nothing was sent: the request held the caller's own token, which is for this MCP server alone.",
  );
}

/** Members are selected before answers are cut to their limits, so that wanted members have the room. Errors stay whole. */
function keepWantedMembers(answer: UpstreamAnswer, keep: CallOptions['keep']): UpstreamAnswer {
  if (keep === undefined || !answer.ok || answer.body.kind !== 'json') return answer;
  const value = keep(answer.body.value);
  return { ...answer, body: { kind: 'json', value, text: writeJson(value) } };
}

async function runAfterResponse(
  { settings, limits, options }: Call,
  { wire, redactFailure }: Attempt,
  read: UpstreamAnswer,
): Promise<UpstreamAnswer> {
  // The source text would still hold what a hook removed from the value.
  if (read.body.kind === 'json') delete read.body.text;
  try {
    const changed = await settings.afterResponse?.(read, requestForHook(wire, options.tool));
    return limitAnswer(keepWantedMembers(changed ?? read, options.keep), limits);
  } catch (thrown) {
    throw redactThrown(thrown, redactFailure);
  }
}

/** Tells what to check after an answer with that status, 401 or 403. */
function makeCredentialsHint({ access }: Call, sent: Credentials, status: number): string | undefined {
  if (sent.ofCaller !== undefined) return status === 401 ? OF_CALLER : undefined;
  const isSent = sent.secrets.length > 0 || access.fixed !== undefined;
  return isSent ? hintForRefused(access, status) : hintWithoutCredentials(access);
}

function addCredentialsHint(call: Call, sent: Credentials, answer: UpstreamAnswer): UpstreamAnswer {
  const hint = makeCredentialsHint(call, sent, answer.status);
  return hint === undefined ? answer : { ...answer, hint };
}

/** A page in the place of JSON is that of a proxy or of a browser's way to sign in. */
function replaceHtmlPage(call: Call, sent: Credentials, answer: UpstreamAnswer): UpstreamAnswer {
  const { accept = [] } = call.binding.result ?? {};
  if (!accept.some(isJsonType) || accept.some((type) => isHtml(type) || isMediaRange(type))) return answer;
  if (!isHtmlPage(answer, accept)) return answer;
  const hint = `This is a page of HTML where JSON was promised. The base URL may be wrong: check ${call.addressVariable?.()}.`;
  // An HTML page may ask to sign in, so the hint is that of a 401.
  const credentials = makeCredentialsHint(call, sent, 401);
  const signedOut = credentials === undefined ? '' : ` Or nobody is signed in. ${credentials}`;
  return { ...answer, ok: false, hint: hint + signedOut };
}

/** Pages of proxies may be called JSON or text, or nothing. */
function isHtmlPage({ body, mediaType = '' }: UpstreamAnswer, accept: readonly string[]): boolean {
  if (isHtml(mediaType)) return true;
  const isText =
    mediaTypeEssence(mediaType) === 'text/plain' &&
    !accept.some((type) => mediaTypeEssence(type) === 'text/plain');
  return (
    (isText || mediaType === '' || isJsonType(mediaType)) &&
    body.kind === 'text' &&
    /^\s*<(?:!doctype\s+html|html)[\s>]/i.test(body.text)
  );
}

function isHtml(mediaType: string): boolean {
  return /^(?:text\/html|application\/xhtml\+xml)$/.test(mediaTypeEssence(mediaType));
}

const OF_CALLER =
  'This MCP server sent credentials of its caller, which may have been revoked: sign in again, at the API too where it has its own.';
