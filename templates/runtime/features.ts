/** The features of the runtime, one row each: what a project may have beside the core, and what goes with it. Data. */
import type { FeatureLoaders } from './feature-loaders.ts';

export interface Feature {
  name: string;
  /** One line of help. */
  about: string;
  /** What in a model or a configuration makes a project have it. */
  neededBy?: FeatureNeed;
  /** A project has it unless its configuration names its features. Default false. */
  isDefault?: true;
  /** The modules that it begins with. */
  entries: readonly FeatureEntry[];
  /** Flags of the server that go with it. */
  flags?: readonly string[];
  /** Environment variables that go with it; `*` at the end stands for any rest. */
  variables?: readonly string[];
  /** One of these variables set without the feature keeps the server from starting: it is about safety or state. */
  isRefused?: true;
}

/** `binding`: a tool or resource is bound to it. `auth`: callers are asked for a token. `code`: functions use one of these members of their context. */
export type FeatureNeed =
  { binding: 'http' | 'function' } | { auth: true } | { taskSupport: true } | { code: readonly string[] };

export interface FeatureEntry {
  /** Without an extension. */
  module: string;
  /** Under which name the server's definition loads it. Absent: another part of the definition does. */
  loader?: keyof FeatureLoaders;
  /** Left out where the project does without this other feature. */
  with?: string;
}

export const FEATURES: readonly Feature[] = [
  {
    name: 'stdio',
    about: 'stdin and stdout, for clients that start the server themselves; always there',
    isDefault: true,
    entries: [],
  },
  {
    name: 'http',
    about: 'Streamable HTTP',
    isDefault: true,
    entries: [{ loader: 'http', module: 'main/start-http' }],
    flags: ['port', 'host', 'path', 'tls-cert', 'tls-key', 'trusted-proxy', 'pass-header', 'connections'],
    variables: [
      'PORT',
      'MCP_ALLOWED_ORIGINS',
      'MCP_ALLOWED_HOSTS',
      'MCP_TRUSTED_PROXIES',
      'MCP_TLS_*',
      'MCP_CONNECTIONS',
      'MCP_UNFINISHED_BYTES*',
      'MCP_UNREAD_BYTES*',
      'MCP_PASS_HEADERS',
    ],
  },
  {
    name: 'sse',
    about: 'HTTP+SSE of 2024-11-05 beside Streamable HTTP',
    entries: [{ loader: 'sse', module: 'transports/http/sse', with: 'http' }],
    flags: ['sse'],
  },
  {
    name: 'websocket',
    about: 'WebSocket beside Streamable HTTP',
    entries: [{ loader: 'websocket', module: 'transports/websocket/websocket-transport', with: 'http' }],
    flags: ['ws'],
  },
  {
    name: 'audit',
    about: 'a log with one line for each call of a tool',
    isDefault: true,
    entries: [{ loader: 'audit', module: 'audit/open-audit' }],
    flags: ['audit', 'audit-arguments'],
    variables: ['MCP_AUDIT', 'MCP_AUDIT_ARGUMENTS'],
    isRefused: true,
  },
  {
    name: 'mock',
    about: 'answers made up from examples and schemas',
    entries: [
      { loader: 'mockApi', module: 'upstream/mock-client', with: 'api' },
      { loader: 'mockFunctions', module: 'functions/mock-functions', with: 'functions' },
    ],
    flags: ['mock'],
    variables: ['MCP_MOCK'],
  },
  {
    name: 'tasks',
    about: 'calls of tools that go on after their request was answered',
    neededBy: { taskSupport: true },
    entries: [{ loader: 'tasks', module: 'core/tasks/index' }],
  },
  {
    name: 'ask',
    about: 'questions to clients: elicitation, sampling, roots',
    neededBy: { code: ['elicit', 'elicitUrl', 'sample', 'roots'] },
    entries: [{ loader: 'ask', module: 'core/ask-client' }],
  },
  {
    name: 'api',
    about: 'calls of APIs',
    neededBy: { binding: 'http' },
    entries: [
      { loader: 'api', module: 'core/upstream/index' },
      { loader: 'apiSettings', module: 'main/api-settings' },
    ],
    flags: ['base-url', 'files', 'pass-header'],
  },
  {
    name: 'functions',
    about: 'calls of functions',
    neededBy: { binding: 'function' },
    entries: [{ module: 'functions/index' }],
  },
  {
    name: 'oauth',
    about: 'callers over HTTP are asked for a token',
    neededBy: { auth: true },
    entries: [{ module: 'oauth/index' }],
    variables: ['MCP_AUTH_*'],
    isRefused: true,
  },
];
