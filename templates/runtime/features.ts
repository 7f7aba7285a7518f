// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The features of the runtime, one row each, for the compiler. A server reads its part in `src/generated/features.json`. */
import { REDIS_VARIABLES } from './contract/redis-variables.ts';
import { AUTH_VARIABLES, BINDING_VARIABLES, ON_BEHALF_VARIABLES } from './contract/auth-variables.ts';
import { SIGNED_SESSION_VARIABLES, STATE_SECRETS } from './contract/session-variables.ts';
import { METRICS_VARIABLES, TRACE_VARIABLES } from './contract/telemetry-variables.ts';
import { COMMON_FLAGS, COMMON_VARIABLES } from './contract/common-variables.ts';
import { API_FLAGS, API_VARIABLES } from './contract/api-variables.ts';
import { HTTP_FLAGS, HTTP_VARIABLES } from './contract/http-variables.ts';
import { plainVariable, secretVariable } from './contract/common-variables.ts';
import type { Feature } from './contract/feature.ts';
import type { FeatureLoaders } from './feature-loaders.ts';

export interface FeatureRow extends Omit<Feature, 'loadedBy'> {
  /** Describes the feature in the README and the reference. */
  about: string;
  /** A project has the feature if it meets one of these conditions. */
  neededBy?: readonly FeatureNeed[];
  isDefault?: true;
  /** Modules that load the feature, without file extensions. */
  entries: readonly FeatureEntry[];
  command?: readonly [args: string, words: string];
  readme?: string;
  /** Path of the feature's page below the folder of the documentation. */
  docs: string;
}

/**
 * `binding`: a tool or resource is bound to it. `code`: functions or handlers use one of these members of their context. `imports`: they match
 * the pattern. `handlers`: an object of theirs has one of these keys. `api`: requests or
 * answers of an API, or the configuration, have it. `lists`: the server's lists, or its code, contain it. `surface`: the server
 * lists tools that search others. `skills`: it has skills.
 */
export type FeatureNeed =
  | { surface: true }
  | { skills: true }
  | { binding: 'http' | 'function' }
  | { auth: true }
  | { taskSupport: true }
  | { confirm: true }
  | { code: readonly string[] }
  | { imports: string }
  | { handlers: readonly string[] }
  | { publish: string }
  | { api: ApiNeed }
  | { lists: ListNeed };

export type ApiNeed =
  | 'parameters'
  | 'multipart'
  | 'xml'
  | 'answer-members'
  | 'client-credentials'
  | 'files'
  | 'sequences'
  | 'exchange'
  | 'client-certificates';

export type ListNeed = 'patterns' | 'alternatives' | 'uri-templates';

export interface FeatureEntry {
  module: string;
  /** The member of the definition that loads it. */
  loader: keyof FeatureLoaders | 'functions' | 'auth';
  /** Another feature that this one needs; without it a project has neither. */
  with?: string;
  /** Left out of a project that meets none of these, unless its configuration names the feature. */
  neededBy?: readonly FeatureNeed[];
}

/** Matches an import of the types that the index of the runtime has with the feature ask only. */
const IMPORTED_QUESTIONS = String.raw`(?:Elicit\w+|Form(?:Fields?|Schema)|S(?:ample|tandard)\w+|Root)\b[^{};]*\}\s*from\s*["'][^"']*/runtime`;

export const FEATURES: readonly FeatureRow[] = [
  {
    name: 'stdio',
    about: 'MCP on stdin and stdout, for clients that start the server themselves. Every server has it.',
    isDefault: true,
    entries: [],
    flags: COMMON_FLAGS,
    variables: COMMON_VARIABLES,
    command: ['', 'stdio, for clients that start the server themselves'],
    docs: 'reference/server.md#transports-of-a-server',
  },
  {
    name: 'http',
    about: 'Streamable HTTP',
    neededBy: [{ publish: 'docker' }, { publish: 'kubernetes' }],
    isDefault: true,
    entries: [{ loader: 'http', module: 'main/start-http' }],
    flags: HTTP_FLAGS,
    variables: HTTP_VARIABLES,
    variablePatterns: ['MCP_WELL_KNOWN_*'],
    command: ['--transport http --port 3000', 'Streamable HTTP at http://127.0.0.1:3000/mcp'],
    docs: 'reference/server.md#transports-of-a-server',
  },
  {
    name: 'sse',
    about: 'HTTP+SSE of 2024-11-05 beside Streamable HTTP, for older clients',
    needs: ['http'],
    entries: [{ loader: 'sse', module: 'transports/http/sse' }],
    flags: { sse: { help: 'Serve HTTP+SSE (2024-11-05) too, at /sse and /messages; with --transport http' } },
    command: ['--transport http --sse', 'and HTTP+SSE, for older clients, at http://127.0.0.1:3000/sse'],
    docs: 'reference/server.md#transports-of-a-server',
  },
  {
    name: 'websocket',
    about: 'WebSocket beside Streamable HTTP',
    needs: ['http'],
    entries: [{ loader: 'websocket', module: 'transports/websocket/websocket-transport' }],
    flags: { ws: { help: 'Serve WebSocket too, at /ws; with --transport http' } },
    command: ['--transport http --ws', 'and WebSocket at ws://127.0.0.1:3000/ws'],
    docs: 'reference/server.md#transports-of-a-server',
  },
  {
    name: 'fetch',
    about: 'a handler of requests for Hono, Express, Fastify, Bun, Deno and workers',
    needs: ['http'],
    entries: [{ loader: 'fetch', module: 'fetch/create-handler' }],
    readme:
      '`createHandler()` of `src/fetch.ts` makes a handler of requests, `(request, { address }) => Promise<Response>`, which web servers ' +
      'that speak Fetch can call: Hono, Bun, Deno, workers, and others through an adapter.',
    docs: 'fetch.md',
  },
  {
    name: 'audit',
    about: 'a log with one JSON line for each tool call',
    isDefault: true,
    entries: [{ loader: 'audit', module: 'audit/open-audit' }],
    flags: {
      audit: {
        value: 'file|stderr',
        example: './audit.jsonl',
        help: 'Write a JSON line for each tool call there. Default: $MCP_AUDIT, else none',
      },
      'audit-arguments': {
        value: 'types|full',
        example: 'full',
        help: 'Arguments in that line: names and types, or values without secrets. Default: $MCP_AUDIT_ARGUMENTS, else types',
      },
    },
    variables: [
      plainVariable(
        'MCP_AUDIT',
        'File, or stderr, that gets a JSON line for each tool call; --audit wins. If unset, none is written.',
      ),
      plainVariable(
        'MCP_AUDIT_ARGUMENTS',
        'Arguments in that line: types, or full for values without secrets.',
        'types',
      ),
    ],
    isRefused: true,
    docs: 'reference/server.md#an-audit-log',
  },
  {
    name: 'metrics',
    about: 'numbers for Prometheus, at a port of their own',
    neededBy: [{ publish: 'docker' }, { publish: 'kubernetes' }],
    needs: ['http'],
    entries: [{ loader: 'metrics', module: 'telemetry/metrics' }],
    variables: METRICS_VARIABLES,
    docs: 'reference/operations.md#metrics',
  },
  {
    name: 'traces',
    about: 'spans of calls for OpenTelemetry, and the trace of a request passed on to the API',
    entries: [{ loader: 'traces', module: 'telemetry/traces' }],
    variables: TRACE_VARIABLES,
    missed: ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'],
    docs: 'reference/operations.md#traces',
  },
  {
    name: 'mock',
    about: 'answers from examples and schemas, without the API and the functions',
    entries: [
      { loader: 'mockApi', module: 'upstream/mock-client', with: 'api' },
      { loader: 'mockFunctions', module: 'functions/mock-functions', with: 'functions' },
    ],
    flags: {
      mock: {
        help: 'Answer from examples and schemas: no API and no function is called, and no credentials are needed. Default: $MCP_MOCK',
      },
    },
    variables: [plainVariable('MCP_MOCK', '1: no API and no function is called, as with --mock.')],
    // Without the feature, the calls of a test would reach the API.
    isRefused: true,
    command: ['--mock', 'answers from examples and schemas: no API and no function is called'],
    readme:
      'With `--mock`, or `MCP_MOCK=1`, no API and no function is called, and no credentials are needed: each call is answered from the ' +
      "examples and schemas of the API's description, a function from its output schema.",
    docs: 'reference/server.md#trying-a-server-without-its-api',
  },
  {
    name: 'tasks',
    about: 'tool calls that continue after their request was answered',
    neededBy: [{ taskSupport: true }, { handlers: ['taskSupport'] }],
    entries: [{ loader: 'tasks', module: 'core/tasks/index' }],
    docs: 'reference/handlers.md#tasks',
  },
  {
    name: 'signed-sessions',
    about: 'sessions over HTTP that any node continues, since their ids are signed',
    neededBy: [{ publish: 'docker' }, { publish: 'kubernetes' }],
    needs: ['http'],
    entries: [{ loader: 'signedSessions', module: 'transports/http/signed-session-store' }],
    variables: SIGNED_SESSION_VARIABLES,
    docs: 'reference/server.md#several-nodes',
  },
  {
    name: 'redis',
    about:
      'several nodes share sessions, streams, rate limits, tasks, subscriptions and single-use states in Redis',
    neededBy: [{ publish: 'kubernetes' }],
    needs: ['http', 'signed-sessions'],
    entries: [
      { loader: 'redis', module: 'redis/index' },
      { loader: 'sharedSessions', module: 'redis/shared-sessions' },
      { loader: 'sharedTasks', module: 'redis/shared-tasks', with: 'tasks' },
    ],
    variables: REDIS_VARIABLES,
    isRefused: true,
    readme: 'With `MCP_REDIS_URL`, the nodes of the server share their state in Redis.',
    docs: 'reference/redis.md',
  },
  {
    name: 'ask',
    about: 'questions of handlers and functions to the client: elicitation, sampling, roots',
    neededBy: [
      { code: ['elicit', 'elicitUrl', 'sample', 'roots'] },
      { imports: IMPORTED_QUESTIONS },
      { confirm: true },
    ],
    entries: [{ loader: 'ask', module: 'core/ask-client' }],
    flags: {
      confirm: {
        value: 'destructive',
        example: 'destructive',
        help: 'Ask the user before a tool runs that may delete or overwrite data; clients that cannot ask are refused',
      },
    },
    variables: STATE_SECRETS,
    docs: 'reference/handlers.md#a-handler-that-asks-may-run-more-than-once',
  },
  {
    name: 'api',
    about: 'tools and resources that call an API',
    neededBy: [{ binding: 'http' }],
    addedBy: 'Add an OpenAPI document to the sources of the project.',
    entries: [
      { loader: 'api', module: 'core/call-api' },
      { loader: 'apiSettings', module: 'main/api-settings' },
    ],
    flags: API_FLAGS,
    variables: API_VARIABLES,
    variablePatterns: ['API_BASE_URL*', 'API_CREDENTIALS', 'API_HEADERS*', 'API_KEY_*', 'API_SERVER*'],
    readme: 'Tools and resources call an API. Its credentials come from the [environment](#environment).',
    docs: 'reference/upstream.md',
  },
  {
    name: 'parameters',
    about:
      'parameters in headers, cookies, media types and all styles; forms; values that the environment sets; members that only answers have',
    neededBy: [{ api: 'parameters' }],
    with: 'api',
    entries: [{ loader: 'parameters', module: 'upstream/parameter-styles' }],
    docs: 'reference/requests.md',
  },
  {
    name: 'bodies',
    about: 'multipart and XML bodies of requests, and bodies of answers that are cut',
    neededBy: [{ api: 'multipart' }, { api: 'xml' }, { api: 'answer-members' }],
    with: 'api',
    entries: [
      {
        loader: 'bodies',
        module: 'upstream/multipart-body',
        neededBy: [{ api: 'multipart' }, { api: 'xml' }],
      },
      {
        loader: 'answerMembers',
        module: 'contract/answer-members',
        neededBy: [{ api: 'answer-members' }],
      },
    ],
    docs: 'reference/upstream.md',
  },
  {
    name: 'client-credentials',
    about: 'OAuth tokens for the API, by client credentials',
    neededBy: [{ api: 'client-credentials' }],
    with: 'api',
    entries: [{ loader: 'clientCredentials', module: 'upstream/oauth-token' }],
    docs: 'reference/upstream.md',
  },
  {
    name: 'transfers',
    about: 'files in and out of API calls, and answers that are sequences (events, JSON lines)',
    neededBy: [{ api: 'files' }, { api: 'sequences' }],
    with: 'api',
    entries: [
      { loader: 'files', module: 'upstream/files', neededBy: [{ api: 'files' }] },
      { loader: 'sequences', module: 'upstream/stream-answer', neededBy: [{ api: 'sequences' }] },
    ],
    flags: {
      files: {
        value: 'folder',
        example: './files',
        help: 'Folder of files that calls may send, as file:<path>, and where large binary answers are saved. Default: $MCP_FILES_ROOT, else none',
      },
    },
    variables: [
      plainVariable(
        'MCP_FILES_ROOT',
        'Folder of files that calls may send, as file:<path>, and where large binary answers are saved; --files wins. ' +
          'If unset, there is none.',
      ),
    ],
    docs: 'reference/requests.md#files-by-name',
  },
  {
    name: 'proxy',
    about: 'requests through a proxy, and with client certificates',
    neededBy: [{ api: 'client-certificates' }],
    entries: [{ loader: 'proxy', module: 'upstream/agents' }],
    variables: [
      secretVariable(
        'HTTPS_PROXY',
        'Proxy for an API at https, such as http://proxy.example:3128; HTTP_PROXY for one at http. NO_PROXY names hosts ' +
          'without a proxy, separated by commas; this machine never uses one.',
      ),
    ],
    missed: ['HTTPS_PROXY', 'HTTP_PROXY'],
    docs: 'reference/upstream.md',
  },
  {
    name: 'search',
    about: 'tools that find, describe and call the others, for APIs too large to list',
    neededBy: [{ surface: true }],
    entries: [{ loader: 'search', module: 'search/index' }],
    flags: {
      surface: {
        value: 'tools|search|both',
        example: 'search',
        help: 'List all tools, the five that search, describe and call others, or both. Over HTTP several by commas: ?surface= names another than the first. Default: as generated',
      },
      pin: {
        value: 'selector',
        example: 'op:listPets',
        help: 'List these beside the five that search: op:, tag:, path:, method:',
        repeatable: true,
      },
    },
    readme:
      'With `--surface search` the server lists few tools in place of all, and with `both` beside them: `search_tools` finds tools by words, ' +
      '`describe_tool` shows their arguments, and `call_read_tool`, `call_write_tool` and `call_destructive_tool` call them.',
    docs: 'large-apis.md',
  },
  {
    name: 'skills',
    about: 'skills: instructions that models read when a task needs them',
    neededBy: [{ skills: true }],
    addedBy: 'Put a folder `skills` with skills beside the source of the project.',
    entries: [{ loader: 'skills', module: 'skills/index' }],
    readme:
      'The server has skills, which clients list with `skills/list` and read as resources. They come from the folder `skills` beside its source.',
    docs: 'extensions.md#skills',
  },
  {
    name: 'patterns',
    about: 'regular expressions that only a special matcher runs in linear time',
    neededBy: [{ lists: 'patterns' }],
    entries: [{ loader: 'patterns', module: 'contract/regex/linear-patterns' }],
    docs: 'reference/handlers.md',
  },
  {
    name: 'alternatives',
    about: 'messages and repairs of arguments that name the alternative that is meant (`anyOf`, `oneOf`)',
    neededBy: [{ lists: 'alternatives' }],
    entries: [{ loader: 'alternatives', module: 'schema/alternatives' }],
    docs: 'reference/features.md#alternatives',
  },
  {
    name: 'uri-templates',
    about: 'resource templates with more than one {variable} in a segment, or with operators (RFC 6570)',
    neededBy: [{ lists: 'uri-templates' }],
    entries: [{ loader: 'uriTemplates', module: 'uri-template/index' }],
    docs: 'reference/handlers.md',
  },
  {
    name: 'functions',
    about: 'tools, resources and prompts that are functions',
    neededBy: [{ binding: 'function' }],
    addedBy: 'Add annotated functions to the sources of the project.',
    entries: [{ loader: 'functions', module: 'functions/index' }],
    variables: [
      plainVariable(
        'MCP_SHOW_ERRORS',
        '1: callers read the message of any error that a function throws, and not only of those that are meant for them.',
      ),
    ],
    docs: 'typescript.md',
  },
  {
    name: 'oauth',
    about: 'callers over HTTP need a token (OAuth 2.1)',
    neededBy: [{ auth: true }],
    needs: ['http'],
    addedBy: 'Set `auth` to `oauth` in the configuration, or compile with --auth oauth.',
    entries: [{ loader: 'auth', module: 'oauth/index' }],
    variablePatterns: ['MCP_AUTH_*'],
    variables: AUTH_VARIABLES,
    isRefused: true,
    readme: 'Callers over HTTP need a token: set `MCP_AUTH_ISSUER` and `MCP_AUTH_AUDIENCE`.',
    docs: 'oauth.md',
  },
  {
    name: 'exchange',
    about: 'calls of the API with credentials of each caller: by token exchange, or by `upstreamCredentials`',
    neededBy: [{ api: 'exchange' }, { handlers: ['upstreamCredentials'] }],
    with: 'oauth',
    needs: ['http'],
    entries: [{ loader: 'exchange', module: 'oauth/on-behalf/index', with: 'api' }],
    variables: ON_BEHALF_VARIABLES.map((each) => ({ ...each, with: 'api' })),
    isRefused: true,
    docs: 'oauth.md',
  },
  {
    name: 'dpop',
    about: 'tokens that are bound to a key of their client: by DPoP, or by a client certificate',
    with: 'oauth',
    // Nodes that share proofs have one secret.
    needs: ['http', 'signed-sessions'],
    entries: [{ loader: 'dpop', module: 'oauth/dpop/index' }],
    variables: BINDING_VARIABLES,
    isRefused: true,
    docs: 'oauth.md',
  },
];
