/** The data of each template of `templates/project/`. It is complete: a template needs no decision and no fallback. */

import type { Json } from '../../../templates/runtime/contract/json-schema.ts';
import type { NeededVariable } from '../needed-variables.ts';

/** `package.json` */
export interface PackageView {
  /** The name of the package, and of the server. */
  name: string;
  /** A version as npm reads it. */
  version: string;
  /** Plain text, 200 characters at most. */
  description: string;
  /** The server's name in the MCP registry. */
  mcpName: string;
  /** The command's name. */
  bin: string;
  /** The range of versions of Node.js: `>=20.19`. */
  node: string;
  /** The script that makes `dist/`. */
  build: string;
  /** `npm run bundle` is one of the scripts. */
  hasBundle: boolean;
  /** `npm run sbom` is one of the scripts. */
  hasSbom: boolean;
  /** There are `src/fetch.ts` and `fetch.d.ts`. */
  hasFetch: boolean;
  /** The server needs packages at run time. */
  hasDependencies: boolean;
  /** Package → range. */
  dependencies: Record<string, string>;
  /** Package → range, for building the project. */
  devDependencies: Record<string, string>;
}

/** `README.md` */
export interface ReadmeView {
  /** The name of the package, and of the server. */
  name: string;
  /** The command's name. */
  bin: string;
  /** Name of the server for people. */
  title: string;
  /** Markdown without emphasis, 500 characters at most. */
  description: string;
  /** The source's name: the last part of its path or URL. */
  source: string;
  /** The name of the project's configuration. */
  config: string;
  /** `20.19 or newer`, or another range in backticks. */
  node: string;
  /** Packages must be installed to run it. */
  installs: boolean;
  /** At least one tool is a request to an API. */
  hasApi: boolean;
  /** At least one tool calls a function. */
  hasFunctions: boolean;
  /** Tools call the user's functions, and the project has a copy of them. */
  hasApp: boolean;
  /** Tools call the user's functions, which are outside of the project. */
  isLinked: boolean;
  /** Callers over HTTP need a token. */
  hasAuth: boolean;
  /** The server's name in the MCP registry. */
  registryName: string;
  /** The registry name is not a placeholder. */
  isNamed: boolean;
  /** At least one target of `publish` is configured. */
  isPublished: boolean;
  /** Optional files and parts that the project has. */
  has: {
    /** The package is published on npm: for the target `npm`, `registry` or `github`. */
    npm: boolean;
    /** `.env.example` */
    environment: boolean;
    /** `Dockerfile` */
    container: boolean;
    /** `compose.yaml` */
    compose: boolean;
    /** `manifest.json` and `bundle.mjs` */
    bundle: boolean;
    /** `sbom.mjs` */
    sbom: boolean;
    /** `server.json` */
    registry: boolean;
    /** `.github/workflows/publish.yml` */
    workflow: boolean;
  };
  /** Command lines of its features. */
  commands: CommandRow[];
  /** Features of the runtime that it has. */
  features: ReadmeFeatureRow[];
  /** Configuration of clients, as JSON values, and the variables in it. */
  clients: ClientsView;
  /** All environment variables of the server. */
  variables: EnvironmentRow[];
  /** Environment variables of its API or APIs: addresses and credentials. */
  apiVariables: EnvironmentRow[];
  /** In listed order, the first 100 at most. */
  tools: ToolRow[];
  /** `tools` is not empty. */
  hasTools: boolean;
  /** How many tools are not in `tools`. */
  moreTools: number;
  /** If tools are left out: the tags of the source, the first 100 at most, with the number of their tools. */
  tags: TagRow[];
  /** Resources, then templates of resources, in listed order, the first 100 at most. */
  resources: ResourceRow[];
  /** `resources` is not empty. */
  hasResources: boolean;
  /** How many are not in `resources`. */
  moreResources: number;
  /** In listed order. */
  prompts: PromptRow[];
  /** `prompts` is not empty. */
  hasPrompts: boolean;
}

/** Configuration of clients, as JSON values, and the variables in it. */
export interface ClientsView {
  /** For Claude Desktop, Cursor and Windsurf: the server in a local folder. */
  mcpServers: unknown;
  /** For VS Code, which asks for the values. */
  servers: unknown;
  /** Like `mcpServers`, for the package on npm. */
  published: unknown;
  /** Links that install the package from npm, directly and through a web page. */
  links: {
    /** `vscode:mcp/install?…` */
    vscode: string;
    /** A web page that forwards to it. */
    vscodePage: string;
    /** `cursor://…` */
    cursor: string;
    /** A web page that forwards to it. */
    cursorPage: string;
  };
  /** The variables that tools need. */
  environment: NeededVariable[];
  /** `environment` is not empty. */
  asksForValues: boolean;
}

export interface CommandRow {
  /** The command line, padded so that comments are aligned. */
  line: string;
  /** Words for what the command starts. */
  purpose: string;
}

interface FeatureRow {
  /** As `features` of the configuration has it. */
  name: string;
  /** A sentence or two, in Markdown. */
  about: string;
}

interface ReadmeFeatureRow extends FeatureRow {
  /** Names of its environment variables, in Markdown. */
  variables: string;
}

export interface EnvironmentRow {
  /** The name of the variable. */
  name: string;
  /** Its purpose. */
  description: string;
  /** Empty if it has none. */
  default: string;
}

export interface ToolRow {
  /** The name that clients call it by. */
  name: string;
  /** One line. */
  summary: string;
  /** `GET /pets/{petId}` */
  does: string;
}

export interface TagRow {
  /** The tag, as the source has it. */
  tag: string;
  /** How many tools have it as their first tag. */
  tools: number;
}

export interface ResourceRow {
  /** A URI, or a template of URIs (RFC 6570). */
  uri: string;
  /** One line. */
  summary: string;
}

export interface PromptRow {
  /** The name in `prompts/get`. */
  name: string;
  /** One line. */
  summary: string;
}

/** `src/runtime/README.md` */
export interface RuntimeReadmeView {
  /** The version of mcpgen. */
  version: string;
  /** The name of the project's configuration. */
  config: string;
  /** At least one tool is a request to an API. */
  hasApi: boolean;
  /** At least one tool calls a function. */
  hasFunctions: boolean;
  /** Callers over HTTP need a token. */
  hasAuth: boolean;
  /** Nodes share their state in Redis. */
  hasRedis: boolean;
  /** Features of the runtime that the project has. */
  features: FeatureRow[];
}

/** What the template of `.env.example` is given. */
export interface EnvironmentView {
  /** Name of the server for people. */
  title: string;
  /** All environment variables of the server. */
  variables: EnvironmentRow[];
}

/** What the template of `server.json` is given (MCP registry, schema of 2025-12-11) */
export interface RegistryView {
  /** The server's name in the MCP registry. */
  name: string;
  /** 100 characters at most. */
  title: string;
  /** Plain text, 100 characters at most. */
  description: string;
  /** A version as npm reads it. */
  version: string;
  /** Further members, from the user's package.json. */
  about: NamedValue[];
  /** The name of the package. */
  package: string;
  /** Variables of the API, in the registry's form. */
  environmentVariables: RegistryVariable[];
  /** Where the server is hosted; empty if `hostedUrl` is not set. */
  remotes: NamedUrl[];
  /** `remotes` is not empty. */
  isHosted: boolean;
}

export interface NamedUrl {
  /** The transport. */
  type: 'streamable-http';
  /** The endpoint. */
  url: string;
}

/** What the template of `publishing/docker/server.yaml` is given (docker/mcp-registry, read 2026-11) */
export interface DockerServerView {
  /** Name of the entry. */
  name: string;
  /** Name of the image, which Docker builds. */
  image: string;
  /** Name of the server for people. */
  title: string;
  /** Plain text, 200 characters at most. */
  description: string;
  /** URL of the repository; empty if package.json has none. */
  repository: string;
  /** The first tags of the source, five at most. */
  tags: string[];
  /** `tags` is not empty. */
  hasTags: boolean;
  /** It has variables. */
  hasConfig: boolean;
  /** The description of its settings. */
  settings: string;
  /** Secret variables of the API. */
  secrets: DockerVariable[];
  /** `secrets` is not empty. */
  hasSecrets: boolean;
  /** Other variables of the API. */
  variables: DockerVariable[];
  /** `variables` is not empty. */
  hasVariables: boolean;
}

export interface DockerVariable {
  /** The name of the variable. */
  name: string;
  /** Its key in the catalog: `petstore-mcp.api_key`. */
  key: string;
  /** The last part of `key`. */
  parameter: string;
  /** Stands for a value. */
  example: string;
  /** Names the parameter, as the catalog reads it. */
  value: string;
}

/** What the template of `publishing/docker/tools.json` is given. */
export interface ToolsView {
  /** In listed order. */
  tools: {
    /** The name that clients call it by. */
    name: string;
    /** Its description, else its title. */
    description: string;
    /** Its arguments. */
    arguments: {
      /** Its name. */
      name: string;
      /** A type of JSON Schema; `object` where several fit. */
      type: string;
      /** Its description; may be empty. */
      desc: string;
    }[];
  }[];
}

/** What the template of `publishing/chatgpt/tool-hint-justifications.json` is given. */
export interface HintsView {
  /** Tool → its hints, and the reason of each. */
  tools: Record<string, unknown>;
}

/** What the template of `publishing/smithery/server-card.json` is given. */
export interface SmitheryView {
  /** Name of the server for people. */
  title: string;
  /** A version as npm reads it. */
  version: string;
  /** Callers over HTTP need a token. */
  hasAuth: boolean;
  /** As `tools/list` has them. */
  tools: unknown[];
  /** As `resources/list` has them. */
  resources: unknown[];
  /** As `prompts/list` has them. */
  prompts: unknown[];
}

/** What the template of `glama.json` is given. */
export interface GlamaView {
  /** The account on GitHub that has the repository; empty if it is not known. */
  maintainers: string[];
}

/** A member of a JSON object. */
export interface NamedValue {
  /** Its key. */
  name: string;
  /** Data, as JSON holds it. */
  value: unknown;
}

export interface RegistryVariable {
  /** The name of the variable. */
  name: string;
  /** Its purpose. */
  description: string;
  /** Tools need it. */
  isRequired: boolean;
  /** Its value must not be shown. */
  isSecret: boolean;
  /** Type of its value. */
  format: 'string';
  /** Absent if it has none. */
  default?: string;
}

/** `manifest.json` (MCPB 0.3) */
export interface ManifestView {
  /** The name of the package, and of the server. */
  name: string;
  /** Name of the server for people. */
  title: string;
  /** A version as npm reads it. */
  version: string;
  /** Plain text, 500 characters at most. */
  description: string;
  /** The author, and further members from the user's package.json. */
  about: NamedValue[];
  /** The range of versions of Node.js: `>=20.19`. */
  node: string;
  /** In listed order, the first 100 at most. */
  tools: {
    /** The name that clients call it by. */
    name: string;
    /** One line, 100 characters at most. */
    description: string;
  }[];
  /** The server has more tools than `tools`. */
  hasMoreTools: boolean;
  /** Environment variable → reference to the user's setting. */
  environment: Record<string, string>;
  /** Name → setting that the user of the bundle is asked for. */
  settings: Record<string, ManifestSetting>;
}

export interface ManifestSetting {
  type: 'string';
  title: string;
  description: string;
  sensitive: boolean;
  required: boolean;
  default?: string;
}

/** `tsconfig.json` */
export interface TsconfigView {
  /** `compilerOptions`. */
  options: Record<string, Json>;
}

/** What the template of `Dockerfile` is given. */
export interface DockerfileView {
  /** Callers need a token. */
  hasAuth: boolean;
}

/** What the template of `compose.yaml` is given. */
export interface ComposeView {
  /** Name of the image, and of the service if there is one only. */
  bin: string;
  /** Names of the variables that the container gets. */
  variables: string[];
  /** `variables` is not empty. */
  hasVariables: boolean;
  /** The project has the feature `redis`: two servers behind a balancer share one. */
  hasRedis: boolean;
  /** Seconds between SIGTERM and SIGKILL. */
  graceSeconds: number;
}

export interface KubernetesView {
  /** All objects have this name: a DNS label made of the server's name. */
  name: string;
  /** Name and tag, without a registry. */
  image: string;
  /** The least number of pods. */
  replicas: number;
  /** Seconds between SIGTERM and SIGKILL. */
  graceSeconds: number;
  /** Variables that the ConfigMap sets. An empty value must be filled in. */
  settings: NamedSetting[];
  /** `settings` is not empty. */
  hasSettings: boolean;
  /** Variables that it could set, with their defaults. */
  otherSettings: NamedSetting[];
  /** Variables from the Secret `from`. */
  secrets: SecretSetting[];
  /** `secrets` is not empty. */
  hasSecrets: boolean;
  /** Ports of the API, of an issuer and of Redis. */
  egressPorts: number[];
  /** The project has the feature `oauth`. */
  hasAuth: boolean;
  /** The project has the feature `redis`. */
  hasRedis: boolean;
  /** The project has the feature `metrics`. */
  hasMetrics: boolean;
}

interface NamedSetting {
  /** Name of the variable. */
  name: string;
  /** Its value, or its default. */
  value: string;
}

interface SecretSetting {
  /** Name of the variable, and of the key in the Secret. */
  name: string;
  /** Name of the Secret. */
  from: string;
  /** Pods start without it. */
  isOptional: boolean;
}

/** Templates whose output is the same for every project. */
export type ConstantView = Record<string, never>;
