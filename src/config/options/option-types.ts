// Made from table.ts and tool-rules.ts by `npm run schema`.
import type { ToolHints } from './tool-rules.ts';
import type { ArgumentRule, OutputRule } from '../../model/source-model.ts';
import type { AuthChoice } from './auth.ts';
import type { OutputSchemaMode, RouteRule } from './sources.ts';
import type { PublishTarget } from '../../model/published.ts';
import type { ClientName } from '../../model/client-profiles.ts';
import type { Hooks } from '../../model/user-code.ts';
import type { WorkflowsByName } from '../../model/workflows.ts';
import type { InstallClientName, InstallScope } from './install-options.ts';
import type { Budget } from './values.ts';
import type { ConfigFormat, TypeScriptSource } from './project-config.ts';
import type { ConfigSource } from './sources.ts';

/** The sources of a server: one of these. */
export interface InputOptions {
  /** Path or URL of the OpenAPI document, or `-` for standard input. */
  source?: string;
  /** Annotated functions, in place of a document. */
  typescript?: TypeScriptSource;
  /** Several sources of one server; options of one document are members of its source. */
  sources?: ConfigSource[];
}

/** Options of one document. */
export interface DocumentOptions {
  /** OpenAPI Overlays (files or URLs), applied in order. */
  overlays?: string[];
  /** Base URL of the API (http or https), instead of the document's servers. */
  baseUrl?: string;
  /** Only these operations: tag:pets, path:/pets/**, op:list*, method:GET. */
  include?: string[];
  /** Without these operations; overrides include. */
  exclude?: string[];
  /** Headers of every request; ${NAME} is read from the environment when the server runs. */
  headers?: Record<string, string>;
  /** Operations that are listed beside the tools that search. */
  pin?: string[];
  /** Hosts that remote $refs may be loaded from. Default: none. */
  allowRemoteRefs?: string[];
  /** Folder that contains all files reached by $ref. */
  refRoot?: string;
  /** Rules that map operations to tools and resources, or a JSON or YAML file of them. */
  routeMap?: string | RouteRule[];
}

/** Options of the server that is compiled. */
export interface ServerOptions {
  /** Package, command and server name; of install and uninstall: the entry's name. Default: from the first source: the API's title, or package.json. */
  name?: string;
  /** Version of the server. Default: the document's, or the package's. */
  serverVersion?: string;
  /** Maximum length of new tool names, 16 to 128. Default: 64, and 57 together with the server's name. */
  maxNameLength?: number;
  /** Characters of tool names: A-Z a-z 0-9 _ - (models), or those and . / (spec). Default: models. */
  toolNames?: 'models' | 'spec';
  /** Output schemas: loose, strict or off. Default: loose; for functions strict. */
  outputSchema?: OutputSchemaMode;
  /** Only tools that read, by their readOnlyHint. */
  readOnly?: boolean;
  /** destructive: the user is asked before a tool runs that may delete or overwrite data. */
  confirm?: 'destructive';
  /** Tools that are listed: all (tools), five that search, describe and call the others (search), both, or auto. Default: tools. */
  surface?: 'tools' | 'search' | 'both' | 'auto';
  /** Folder of skills that the server has, or - for none. Default: the folder skills beside the source. */
  skills?: string;
  /** Workflows by their names, each a tool; or files of them, in JSON or YAML, or of Arazzo 1.0. */
  workflows?: string[] | WorkflowsByName;
  /** How single tools are served, by a tool's name, an operation (DELETE /pets/{petId}) or a selector (tag:admin). */
  tools?: Record<string, ToolRules>;
  /** Treat warnings as errors. */
  strict?: boolean;
  /** The hook onModel, which changes the server: the path of a module, or a function. */
  hooks?: Hooks | string;
  /** oauth: HTTP callers need a token. Default: none. */
  auth?: AuthChoice;
  /** The most that the server may list: tools, listTokens and toolTokens; characters that descriptions are cut to: description and argument. Default: no limit; descriptions of tools 1000, of arguments 300. */
  budget?: Budget;
  /** Shorten names for these clients, and report what else they refuse: claude, claude-code, claude-desktop, cursor, vscode, copilot, openai, gemini, adk. Default: none. */
  for?: ClientName[];
}

/** Options of the files of a project. */
export interface ProjectFileOptions {
  /** Project folder; of overlay init: the overlay, - for stdout; of skills init and templates eject: the folder for them. Default: output in the configuration, else ./<server name>. */
  output?: string;
  /** Build functions from their own folder instead of copying them below src/app/. */
  link?: boolean;
  /** Endpoint where the server is hosted, for directories: https://mcp.example.com/mcp. */
  hostedUrl?: string;
  /** Add the files for these targets: npm, docker, kubernetes, registry, mcpb, github. */
  publish?: PublishTarget[];
  /** Features beside those that the sources need; the flag adds to those of the configuration: stdio, dpop, operations, pass-headers, alternatives, unevaluated, patterns, resources, uri-templates, exchange, client-credentials, login, proxy, bytes, files, sequences, redirects, answer-rules, http, trusted-proxies, mirrored-arguments, changes, mock, search, steps, tasks, confirm, ask, sse, websocket, signed-sessions, resumption, redis, tls, fetch, audit, metrics, traces. Default: stdio, http. */
  features?: string[];
  /** Folder of templates that replace the built-in ones. */
  templates?: string;
}

/** Options of one run that writes, or compares, a project. */
export interface RunSwitches {
  /** List the changes, write nothing. */
  dryRun?: boolean;
  /** Exit 1 if the folder is not up to date; write nothing. */
  check?: boolean;
  /** Overwrite edited and foreign files, keeping each as .orig; of install and uninstall: change an entry that starts something else. */
  force?: boolean;
  /** Keep edited generated files, and stop generating them. */
  keep?: boolean;
  /** Allow credentials for an origin that mcpgen.lock does not name. */
  acceptOrigins?: string[];
  /** Rewrite mcpgen.lock without reading it; removes no files. */
  rebuildLock?: boolean;
  /** Exit 1 if listing all tools takes more tokens; wins over budget.listTokens. */
  maxTokens?: number;
  /** Derive tool names again instead of taking them from mcpgen.lock. */
  rename?: boolean;
}

/** Options that a repository can not give itself. */
export interface ConsentOptions {
  /** Run no code of the repository (configuration, hooks, functions). */
  noCode?: boolean;
  /** Variable that URLs of the configuration, or arguments of a served document, may send; A,B for two. */
  allowEnv?: string[];
  /** Let the configuration write to this folder outside the repository. */
  allowOutput?: string[];
  /** Use this server of a configuration with several. */
  server?: string;
}

/** Options of what is printed. */
export interface ReportOptions {
  /** Print one JSON document on stdout, also on failure. */
  json?: boolean;
  /** Print only errors on stderr. */
  quiet?: boolean;
  /** Show every diagnostic in full. */
  verbose?: boolean;
}

/** Rules for the tools that a key of `tools` matches. */
export interface ToolRules {
  /** The name that clients see; only under a key of one tool. */
  name?: string;
  /** The title, for people. */
  title?: string;
  /** The description, by which models choose. */
  description?: string;
  /** Not listed, not callable, not found by search. */
  exclude?: true;
  /** Listed beside the tools that search others. */
  pin?: boolean;
  /** The user is asked first: `always`, or if it may delete or overwrite data (`destructive`). */
  confirm?: 'destructive' | 'always';
  /** OAuth scopes that callers need too. */
  scopes?: string[];
  /** Headers of its requests; `${NAME}` is read from the environment when the server runs. */
  headers?: Record<string, string>;
  /** Milliseconds of a call, retries included, in place of `API_TIMEOUT_MS`. */
  timeout?: number;
  /** What clients may assume: `readOnly`, `destructive`, `idempotent`, `openWorld`. */
  hints?: ToolHints;
  /** Rules by the name of an argument, for clients or in the document; functions have `description` and `hide`. */
  arguments?: Record<string, ArgumentRule>;
  /** Members of its answers: `select` keeps some, `drop` removes some. */
  output?: OutputRule;
  /** An argument `fields`, by which models choose members of its answers. */
  fields?: boolean;
}

/** The flags of all commands. */
export interface Flags
  extends
    Omit<DocumentOptions, 'headers' | 'routeMap'>,
    Omit<ServerOptions, 'toolNames' | 'skills' | 'workflows' | 'tools' | 'hooks' | 'auth' | 'budget'>,
    Omit<ProjectFileOptions, 'hostedUrl'>,
    RunSwitches,
    ConsentOptions,
    ReportOptions {
  tsconfig?: string;
  routeMap?: string;
  auth?: 'oauth' | 'none';
  watch?: boolean;
  format?: ConfigFormat;
  failOn?: 'breaking' | 'any';
  client?: ClientName[];
  fix?: boolean;
  installClient?: InstallClientName[];
  scope?: InstallScope;
  entryVariables?: string[];
  url?: string;
}
