/** The features that a project can have, one row each. Flags and variables are those of the feature that a row loads. */
import type { ExchangeOptions } from '../../templates/runtime/features/exchange/settings.ts';
import type { Feature } from '../../templates/runtime/feature.ts';
import type { ScopeOptions } from '../../templates/runtime/features/oauth/scopes.ts';
import { omitUndefined } from '../util/collections.ts';
import {
  answersInSequences,
  asksFirst,
  hasAlternatives,
  hasApi,
  hasConfirmedWorkflow,
  hasAnswerRules,
  hasClientCertificate,
  hasGuardedPattern,
  hasRareStyle,
  hasTokenUrl,
  hasUnevaluated,
  hasXml,
  listHttpBindings,
  mayAnswerFile,
  mayCarryBytes,
  mirrorsArguments,
} from './feature-needs.ts';
import type { PublishTarget } from './published.ts';
import type { ServerModel } from './server-model.ts';
import { isPlainTemplate } from '../util/uri-template.ts';

/** What decides which features a project has. */
export interface ProjectNeeds {
  model: ServerModel;
  /** The user's own functions. */
  app?: { files: readonly { contents: string }[] };
  /** Rules for tokens of callers over HTTP. Absent: no token is needed. */
  auth?: AuthOptions;
  /** Some input schema is listed in part. */
  isCut: boolean;
}

export type AuthOptions = ScopeOptions & ExchangeOptions;

export interface FeatureRow {
  /** In `features` of the configuration, in the data of the server, and in messages. */
  name: string;
  /** One line about it. */
  about: string;
  /** Path of its page below `docs/`. */
  page: string;
  /** Says how it is added. Absent: by its name. */
  addedBy?: string;
  /** Features that come with it. */
  needs?: readonly string[];
  /** A project without this other feature can't have it. */
  with?: string;
  /** It comes with this other feature, and may be named alone. */
  comesWith?: string;
  isNeeded?: (project: ProjectNeeds) => boolean;
  /** In words, when it is needed. */
  when?: string;
  /** It comes with these targets. */
  publish?: readonly PublishTarget[];
  /** It comes with code that uses these members of its context, or has these keys. */
  uses?: CodeUses;
  /** The function that makes it, which its module exports. Without it in a row, the name in camel case. */
  factory: string;
  /** In the runtime's folder, without file extension. A project has what it imports, too. Without it in a row, `features/<name>`. */
  module: string;
  /** Loads the factory, for projects that list it alone. */
  load: () => Promise<() => Feature>;
  /** What the factory is given, printed as a literal. */
  options?: (project: Pick<ProjectNeeds, 'model' | 'auth'>) => object | undefined;
  /** The factory is given the modules of the user's functions. */
  loadsFunctions?: true;
  /** A server that lost it does not start: it would let through what the configuration keeps out. */
  isRequired?: (model: ServerModel) => boolean;
  /** Its variables that no server may ignore: one without the feature does not start while one is set. */
  refused?: 'all' | readonly string[];
  /** Says above it in `src/server.ts` how to turn it on. */
  comment?: string;
}

export interface CodeUses {
  members?: readonly string[];
  keys?: readonly string[];
  /** Types of the runtime's index that code imports. */
  imports?: RegExp;
}

/** Types that the index of the runtime has with the feature `ask` only. */
const IMPORTED_QUESTIONS =
  /\b(?:Elicit\w+|Form(?:Fields?|Schema)|S(?:ample|tandard)\w+|Root)\b[^{};]*\}\s*from\s*["'][^"']*\/runtime\b/;

const OF_DOCUMENTS = 'It comes with a document that needs it.';

function nonEmpty(options: object): object | undefined {
  const set = omitUndefined(options);
  return Object.keys(set).length === 0 ? undefined : set;
}

/**
 * In the order of `src/server.ts`, in which they stand around a call, the first outside. `oauth` sees a request before `search` gives it the
 * name of the tool, `tasks` after; `mock` answers before `functions` would run.
 */
const ROWS: readonly (Partial<FeatureRow> & Omit<FeatureRow, 'factory' | 'module'>)[] = [
  {
    // First, so that no other feature sees a request that it refuses.
    name: 'oauth',
    about: 'callers over HTTP need a token (OAuth 2.1)',
    page: 'oauth.md',
    addedBy: 'Set `auth` to `oauth` in the configuration, or compile with --auth oauth.',
    needs: ['http'],
    isNeeded: ({ auth }) => auth !== undefined,
    when: 'with `auth: oauth`',
    refused: 'all',
    module: 'features/oauth/index',
    isRequired: () => true,
    load: async () => (await import('../../templates/runtime/features/oauth/index.ts')).oauth,
    options: ({ auth: { scopes, implies } = {} }) => nonEmpty({ scopes, implies }),
  },
  {
    // `oauth` looks for it when it starts.
    name: 'dpop',
    about: 'tokens that are bound to a key of their client: by DPoP, or by a client certificate',
    page: 'oauth.md',
    with: 'oauth',
    // Nodes that share proofs have one secret.
    needs: ['http', 'signed-sessions'],
    refused: 'all',
    module: 'features/dpop/index',
    load: async () => (await import('../../templates/runtime/features/dpop/index.ts')).dpop,
    comment: '`MCP_AUTH_DPOP=allowed` accepts tokens that are bound to a key.',
  },
  {
    name: 'api',
    about: 'tools and resources that call an API',
    page: 'reference/upstream.md',
    addedBy: 'Add an OpenAPI document to the sources of the project.',
    isNeeded: ({ model }) => hasApi(model),
    when: 'with an OpenAPI document',
    module: 'call-api',
    load: async () => (await import('../../templates/runtime/call-api.ts')).api,
  },
  {
    name: 'styles',
    about: 'parameters in other styles than the usual ones, forms, and JSON lines',
    page: 'reference/requests.md',
    addedBy: OF_DOCUMENTS,
    isNeeded: ({ model }) => listHttpBindings(model).some(hasRareStyle),
    when: 'with such a parameter or body',
    load: async () => (await import('../../templates/runtime/features/styles.ts')).styles,
  },
  {
    name: 'read-only-members',
    about: 'bodies with members that only answers have (`readOnly`): they are accepted, and not sent',
    page: 'reference/requests.md',
    addedBy: OF_DOCUMENTS,
    isNeeded: ({ model }) => listHttpBindings(model).some(({ body }) => body?.readOnly !== undefined),
    when: 'with such a body',
    load: async () => (await import('../../templates/runtime/features/read-only-members.ts')).readOnlyMembers,
  },
  {
    name: 'multipart',
    about: 'multipart bodies',
    page: 'reference/requests.md',
    addedBy: OF_DOCUMENTS,
    isNeeded: ({ model }) => listHttpBindings(model).some(({ body }) => body?.kind === 'multipart'),
    when: 'with such a body',
    load: async () => (await import('../../templates/runtime/features/multipart.ts')).multipart,
  },
  {
    name: 'xml',
    about: 'XML bodies',
    page: 'reference/requests.md',
    addedBy: OF_DOCUMENTS,
    isNeeded: ({ model }) => listHttpBindings(model).some(hasXml),
    when: 'with such a body',
    load: async () => (await import('../../templates/runtime/features/xml.ts')).xml,
  },
  {
    name: 'operation-servers',
    about: 'operations that have servers of their own',
    page: 'reference/upstream.md',
    addedBy: OF_DOCUMENTS,
    isNeeded: ({ model }) => listHttpBindings(model).some(({ servers }) => servers !== undefined),
    when: 'with such an operation',
    load: async () =>
      (await import('../../templates/runtime/features/operation-servers.ts')).operationServers,
  },
  {
    name: 'known-arguments',
    about: 'arguments whose values the configuration or a variable has',
    page: 'reference/environment.md',
    addedBy: OF_DOCUMENTS,
    isNeeded: ({ model }) => listHttpBindings(model).some(({ known }) => known !== undefined),
    when: 'with such an argument',
    load: async () => (await import('../../templates/runtime/features/known-arguments.ts')).knownArguments,
  },
  {
    name: 'operations',
    about: 'operations of the API that handlers and functions call (`context.api`)',
    page: 'reference/handlers.md',
    with: 'api',
    uses: { members: ['api'] },
    load: async () => (await import('../../templates/runtime/features/operations.ts')).operations,
  },
  {
    name: 'pass-headers',
    about: 'headers of HTTP requests that go on to the API, such as X-Tenant',
    page: 'reference/upstream.md#headers-of-the-caller',
    with: 'api',
    needs: ['http'],
    refused: 'all',
    load: async () => (await import('../../templates/runtime/features/pass-headers.ts')).passHeaders,
    comment: '`--pass-header X-Tenant` passes this header of HTTP requests on to the API.',
  },
  {
    name: 'alternatives',
    about: 'messages and repairs of arguments that name the alternative that is meant (`anyOf`, `oneOf`)',
    page: 'reference/requests.md#what-is-accepted',
    isNeeded: ({ model }) => hasAlternatives(model),
    when: 'if a listed schema has `anyOf` or `oneOf` with two branches beside null',
    load: async () => (await import('../../templates/runtime/features/alternatives.ts')).alternatives,
  },
  {
    name: 'unevaluated',
    about: 'the keywords `unevaluatedProperties` and `unevaluatedItems` of schemas',
    page: 'reference/requests.md#what-is-accepted',
    isNeeded: ({ model }) => hasUnevaluated(model),
    when: 'if a listed schema has one of them',
    load: async () => (await import('../../templates/runtime/features/unevaluated.ts')).unevaluated,
  },
  {
    name: 'patterns',
    about: 'regular expressions that only a special matcher runs in linear time',
    page: 'reference/features.md#patterns',
    isNeeded: ({ model }) => hasGuardedPattern(model),
    when: 'if a listed schema has a [pattern](#patterns) that is not proved to be linear',
    module: 'features/patterns/index',
    load: async () => (await import('../../templates/runtime/features/patterns/index.ts')).patterns,
  },
  {
    name: 'resources',
    about: 'resources, prompts, and completion of their arguments',
    page: 'reference/handlers.md#resources',
    isNeeded: ({ model: { resources, resourceTemplates, prompts } }) =>
      [resources, resourceTemplates, prompts].some((list) => list.length > 0),
    when: 'with a resource, a template or a prompt',
    uses: { keys: ['resources', 'resourceTemplates', 'prompts'] },
    load: async () => (await import('../../templates/runtime/features/resources.ts')).resources,
  },
  {
    name: 'uri-templates',
    about: 'resource templates with more than one {variable} in a segment, or with operators (RFC 6570)',
    page: 'reference/features.md#resource-templates',
    needs: ['resources'],
    isNeeded: ({ model }) =>
      !model.resourceTemplates.every(({ uriTemplate }) => isPlainTemplate(uriTemplate)),
    when: 'if a listed template is not [plain](#resource-templates)',
    load: async () => (await import('../../templates/runtime/features/uri-templates.ts')).uriTemplates,
  },
  {
    name: 'exchange',
    about: 'calls of the API with credentials of each caller: by token exchange, or by `upstreamCredentials`',
    page: 'oauth.md',
    with: 'oauth',
    needs: ['http'],
    isNeeded: ({ auth }) => auth?.onBehalf !== undefined || auth?.exchange !== undefined,
    when: 'with `auth.onBehalf` or `auth.exchange`',
    uses: { keys: ['upstreamCredentials'] },
    refused: 'all',
    module: 'features/exchange/index',
    load: async () => (await import('../../templates/runtime/features/exchange/index.ts')).exchange,
    options: ({ auth: { onBehalf, exchange } = {} }) => nonEmpty({ onBehalf, exchange }),
    isRequired: () => true,
  },
  {
    name: 'client-credentials',
    about: 'OAuth tokens for the API, by client credentials',
    page: 'reference/upstream.md',
    with: 'api',
    isNeeded: ({ model }) => hasTokenUrl(model),
    when: 'with an OAuth scheme that names a token URL or metadata',
    load: async () =>
      (await import('../../templates/runtime/features/client-credentials.ts')).clientCredentials,
  },
  {
    name: 'login',
    about: 'people sign in to the API, over stdio, instead of pasting a token',
    page: 'login.md',
    with: 'api',
    needs: ['ask'],
    module: 'features/login/index',
    load: async () => (await import('../../templates/runtime/features/login/index.ts')).login,
    comment: 'A call that needs it shows where to sign in. Over stdio only.',
  },
  {
    name: 'proxy',
    about: 'requests through a proxy, and with client certificates',
    page: 'reference/upstream.md',
    isNeeded: ({ model }) => hasClientCertificate(model),
    when: 'with a `mutualTLS` scheme',
    load: async () => (await import('../../templates/runtime/features/proxy.ts')).proxy,
    comment: 'HTTPS_PROXY leads requests through a proxy.',
  },
  {
    name: 'bytes',
    about: 'bodies and parts that are bytes: base64 and `data:` URIs',
    page: 'reference/requests.md',
    with: 'api',
    isNeeded: ({ model }) => listHttpBindings(model).some(mayCarryBytes),
    when: 'with a body that may be bytes',
    load: async () => (await import('../../templates/runtime/features/bytes.ts')).bytes,
  },
  {
    name: 'files',
    about: 'files in and out of API calls',
    page: 'reference/requests.md#files-by-name',
    with: 'api',
    load: async () => (await import('../../templates/runtime/features/files.ts')).files,
    comment:
      '`--files <folder>` allows files of that folder as `file:<path>`, and saves large answers in it.',
  },
  {
    name: 'sequences',
    about: 'answers that are sequences (events, JSON lines)',
    page: 'reference/upstream.md',
    with: 'api',
    isNeeded: ({ model }) => listHttpBindings(model).some(answersInSequences),
    when: 'with such an answer',
    load: async () => (await import('../../templates/runtime/features/sequences.ts')).sequences,
  },
  {
    name: 'redirects',
    about: 'answers that another address has: downloads are often sent on to a storage',
    page: 'reference/upstream.md',
    with: 'api',
    isNeeded: ({ model }) => listHttpBindings(model).some(mayAnswerFile),
    when: 'with an answer that may be bytes',
    load: async () => (await import('../../templates/runtime/features/redirects.ts')).redirects,
  },
  {
    name: 'answer-rules',
    about: 'answers of which a tool returns some members (`output`, `fields`)',
    page: 'reference/upstream.md',
    with: 'api',
    isNeeded: ({ model }) => listHttpBindings(model).some(hasAnswerRules),
    when: 'with such rules',
    load: async () => (await import('../../templates/runtime/features/answer-rules.ts')).answerRules,
  },
  {
    name: 'http',
    about: 'Streamable HTTP',
    page: 'reference/server.md#transports-of-a-server',
    publish: ['docker', 'kubernetes'],
    module: 'http',
    load: async () => (await import('../../templates/runtime/http.ts')).http,
    comment: '`node dist/main.js --transport http` listens on 127.0.0.1:3000.',
  },
  {
    name: 'trusted-proxies',
    about: 'the addresses of clients behind a reverse proxy, by `X-Forwarded-For`',
    page: 'reference/server.md#who-may-connect',
    needs: ['http'],
    publish: ['docker', 'kubernetes'],
    // All clients would share the limits of one address.
    refused: 'all',
    load: async () => (await import('../../templates/runtime/features/trusted-proxies.ts')).trustedProxies,
  },
  {
    name: 'mirrored-arguments',
    about: 'arguments that clients repeat in headers, so that proxies can route by them (`@header`)',
    page: 'reference/functions.md',
    isNeeded: ({ model }) => model.tools.some((tool) => mirrorsArguments(tool)),
    when: 'with functions that have `@header`',
    uses: { keys: ['x-mcp-header'] },
    load: async () =>
      (await import('../../templates/runtime/features/mirrored-arguments.ts')).mirroredArguments,
  },
  {
    name: 'changes',
    about: 'lists and resources that change while clients are connected, by `started`',
    page: 'reference/handlers.md#changes',
    isNeeded: ({ model }) => model.started !== undefined,
    when: 'with functions that have `@started`',
    uses: { keys: ['started'] },
    load: async () => (await import('../../templates/runtime/features/changes.ts')).changes,
  },
  {
    name: 'mock',
    about: 'answers from examples and schemas, without the API and the functions',
    page: 'reference/server.md#trying-a-server-without-its-api',
    // Without it, the calls of a test would reach the API.
    refused: 'all',
    module: 'features/mock/index',
    load: async () => (await import('../../templates/runtime/features/mock/index.ts')).mock,
    comment: '`node dist/main.js --mock` calls no API and no function.',
  },
  {
    name: 'functions',
    about: 'tools, resources and prompts that are functions',
    page: 'typescript.md',
    addedBy: 'Add annotated functions to the sources of the project.',
    isNeeded: ({ app }) => app !== undefined,
    when: 'with annotated functions',
    loadsFunctions: true,
    module: 'features/functions/index',
    load: async () => {
      const { functions } = await import('../../templates/runtime/features/functions/index.ts');
      return () => functions({});
    },
  },
  {
    name: 'search',
    about: 'tools that find, describe and call the others, for APIs too large to list',
    page: 'large-apis.md',
    isNeeded: ({ model, isCut }) => (model.surface ?? 'tools') !== 'tools' || isCut,
    when: 'with `surface` `search` or `both`',
    module: 'features/search/index',
    load: async () => (await import('../../templates/runtime/features/search/index.ts')).search,
    options: ({ model: { surface = 'tools' } }) => (surface === 'tools' ? undefined : { surface }),
  },
  {
    // After `search`, whose surface it adds to.
    name: 'steps',
    about: 'several calls as one tool, by steps that are data',
    page: 'steps.md',
    needs: ['resources'],
    module: 'features/steps/index',
    load: async () => (await import('../../templates/runtime/features/steps/index.ts')).steps,
  },
  {
    name: 'workflows',
    about: 'workflows: reviewed steps, each as a tool',
    page: 'steps.md#workflows',
    addedBy: 'Name a file of workflows by `workflows` in the configuration.',
    isNeeded: ({ model }) => model.tools.some(({ binding }) => binding.kind === 'steps'),
    when: 'with `workflows`',
    isRequired: () => true,
    module: 'features/steps/workflows',
    load: async () => (await import('../../templates/runtime/features/steps/workflows.ts')).workflows,
  },
  {
    name: 'tasks',
    about: 'tool calls that continue after their request was answered',
    page: 'reference/handlers.md#tasks',
    isNeeded: ({ model }) =>
      model.tools.some(({ execution }) => (execution?.taskSupport ?? 'forbidden') !== 'forbidden'),
    when: 'if a listed tool has `taskSupport`',
    uses: { keys: ['taskSupport'] },
    needs: ['changes'],
    module: 'features/tasks/index',
    load: async () => (await import('../../templates/runtime/features/tasks/index.ts')).tasks,
  },
  {
    name: 'confirm',
    about: 'a question to the user before a tool runs that may delete or overwrite data',
    page: 'reference/server.md',
    needs: ['ask'],
    comesWith: 'ask',
    isNeeded: ({ model }) => asksFirst(model) || hasConfirmedWorkflow(model),
    when: 'with `confirm`, also of single tools, and with a workflow that may delete or overwrite data',
    load: async () => (await import('../../templates/runtime/features/confirm.ts')).confirm,
    options: ({ model: { confirm } }) => confirm && { tools: confirm },
    isRequired: asksFirst,
    comment: '`--confirm destructive` asks the user before a tool runs that may delete or overwrite data.',
  },
  {
    // Tasks come before: its questions by rounds belong to their calls.
    name: 'ask',
    about: 'questions of handlers and functions to the client: elicitation, sampling, roots',
    page: 'reference/handlers.md#a-handler-that-asks-may-run-more-than-once',
    uses: {
      members: ['elicit', 'elicitUrl', 'sample', 'roots', 'remember'],
      imports: IMPORTED_QUESTIONS,
    },
    module: 'features/ask/index',
    load: async () => (await import('../../templates/runtime/features/ask/index.ts')).ask,
  },
  {
    name: 'skills',
    about: 'skills: instructions that models read when a task needs them',
    page: 'extensions.md#skills',
    addedBy: 'Put a folder `skills` with skills beside the source of the project.',
    needs: ['resources'],
    isNeeded: ({ model }) => model.skills !== undefined,
    when: 'with skills beside the source',
    load: async () => (await import('../../templates/runtime/features/skills.ts')).skills,
  },
  {
    name: 'sse',
    about: 'HTTP+SSE of 2024-11-05 beside Streamable HTTP, for older clients',
    page: 'reference/server.md#transports-of-a-server',
    needs: ['http'],
    load: async () => (await import('../../templates/runtime/features/sse.ts')).sse,
    comment: '`--transport http --sse` serves older clients at /sse.',
  },
  {
    name: 'websocket',
    about: 'WebSocket beside Streamable HTTP',
    page: 'reference/server.md#transports-of-a-server',
    needs: ['http'],
    load: async () => (await import('../../templates/runtime/features/websocket.ts')).websocket,
    comment: '`--transport http --ws` serves WebSocket at /ws.',
  },
  {
    name: 'signed-sessions',
    about: 'sessions over HTTP that any node continues, since their ids are signed',
    page: 'reference/server.md#several-nodes',
    needs: ['http'],
    refused: ['MCP_STATELESS'],
    publish: ['kubernetes'],
    load: async () => (await import('../../templates/runtime/features/signed-sessions.ts')).signedSessions,
    comment: 'With `MCP_STATE_SECRET`, any node continues a session over HTTP; `--stateless` opens none.',
  },
  {
    name: 'resumption',
    about: 'streams over HTTP that go on when a client comes back after its connection broke',
    page: 'reference/server.md#both-protocol-eras-on-one-endpoint',
    needs: ['http'],
    publish: ['kubernetes'],
    uses: { members: ['closeStream'] },
    load: async () => (await import('../../templates/runtime/features/resumption.ts')).resumption,
  },
  {
    // It takes over what those before it have in memory.
    name: 'redis',
    about:
      'several nodes share sessions, streams, rate limits, tasks, subscriptions and single-use states in Redis',
    page: 'reference/redis.md',
    needs: ['http', 'signed-sessions', 'changes'],
    publish: ['kubernetes'],
    refused: 'all',
    module: 'features/redis/index',
    load: async () => (await import('../../templates/runtime/features/redis/index.ts')).redis,
    comment: 'With `MCP_REDIS_URL`, the nodes of this server share their state over HTTP.',
  },
  {
    name: 'tls',
    about: 'HTTPS, with a certificate of your own',
    page: 'reference/server.md#who-may-connect',
    needs: ['http'],
    // The server would speak plain HTTP.
    refused: ['MCP_TLS_CERT', 'MCP_TLS_KEY'],
    load: async () => (await import('../../templates/runtime/features/tls.ts')).tls,
    comment: '`--tls-cert cert.pem --tls-key key.pem` serves HTTPS.',
  },
  {
    name: 'fetch',
    about: 'a handler of requests for Hono, Express, Fastify, Bun, Deno and workers',
    page: 'fetch.md',
    needs: ['http'],
    factory: 'fetchHandler',
    load: async () => (await import('../../templates/runtime/features/fetch.ts')).fetchHandler,
    comment: '`createHandler()` of `src/fetch.ts` answers within another web server.',
  },
  {
    name: 'audit',
    about: 'a log with one JSON line for each tool call',
    page: 'reference/server.md#an-audit-log',
    refused: 'all',
    load: async () => (await import('../../templates/runtime/features/audit.ts')).audit,
    comment: '`--audit ./audit.jsonl` writes a line for each tool call.',
  },
  {
    name: 'metrics',
    about: 'numbers for Prometheus, at a port of their own',
    page: 'reference/operations.md#metrics',
    needs: ['http'],
    publish: ['kubernetes'],
    load: async () => (await import('../../templates/runtime/features/metrics.ts')).metrics,
  },
  {
    name: 'traces',
    about: 'spans of calls for OpenTelemetry, and the trace of a request passed on to the API',
    page: 'reference/operations.md#traces',
    module: 'features/traces/index',
    load: async () => (await import('../../templates/runtime/features/traces/index.ts')).traces,
    comment: 'OTEL_EXPORTER_OTLP_ENDPOINT names the collector of its spans.',
  },
];

export const FEATURES: readonly FeatureRow[] = ROWS.map((row) => {
  const factory = row.name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return { factory, module: `features/${row.name}`, ...row };
});
