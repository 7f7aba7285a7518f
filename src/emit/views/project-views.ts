/** What each template of `templates/project/` is given. Complete: a template needs no decision and no fallback. */

import type { Json } from '../../../templates/runtime/schema/json-schema.ts';
import type { NeededVariable } from '../needed-variables.ts';

/** `package.json` */
export interface PackageView {
  name: string;
  version: string;
  description: string;
  /** The server's name in the MCP registry. */
  mcpName: string;
  /** The command's name. */
  bin: string;
  node: string;
  /** The script that makes `dist/`. */
  build: string;
  /** The scripts of files that may be left out. */
  hasBundle: boolean;
  hasSbom: boolean;
  /** Package → range. */
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

/** `README.md` */
export interface ReadmeView {
  name: string;
  bin: string;
  title: string;
  description: string;
  source: string;
  /** The name of the project's configuration. */
  config: string;
  /** `20.19 or newer` */
  node: string;
  /** Packages must be installed to run it. */
  installs: boolean;
  /** Tools are requests to an API. */
  hasApi: boolean;
  /** Functions do the work of some. */
  hasFunctions: boolean;
  /** The user's own functions do the work, and the project has a copy of them. */
  hasApp: boolean;
  /** The user's own functions do the work, and stand elsewhere. */
  isLinked: boolean;
  /** Callers over HTTP are asked for a token. */
  hasAuth: boolean;
  registryName: string;
  /** That name is no placeholder. */
  isNamed: boolean;
  /** Which files that may be left out are there. */
  has: {
    environment: boolean;
    container: boolean;
    compose: boolean;
    bundle: boolean;
    sbom: boolean;
    registry: boolean;
    workflow: boolean;
  };
  clients: ClientsView;
  variables: EnvironmentRow[];
  tools: ToolRow[];
}

/** Configuration of clients, as JSON values, and the variables in it. */
export interface ClientsView {
  /** Of Claude Desktop, Cursor and Windsurf: the server in a folder of this machine. */
  mcpServers: unknown;
  /** The same of VS Code, which asks for the values. */
  servers: unknown;
  /** As `mcpServers`, of the package on npm. */
  published: unknown;
  /** Links that install the package on npm: of the client's own scheme, and over a page of its maker. */
  links: { vscode: string; vscodePage: string; cursor: string; cursorPage: string };
  environment: NeededVariable[];
  /** Some variable is in it. */
  asksForValues: boolean;
}

export interface EnvironmentRow {
  name: string;
  description: string;
  /** Empty when there is none. */
  default: string;
}

export interface ToolRow {
  name: string;
  /** One line. */
  summary: string;
  /** `GET /pets/{petId}` */
  does: string;
}

/** `.env.example` */
export interface EnvironmentView {
  title: string;
  variables: EnvironmentRow[];
}

/** `server.json` (MCP registry, schema of 2025-12-11) */
export interface RegistryView {
  name: string;
  title: string;
  description: string;
  version: string;
  /** Further members, where the user's package.json says so. */
  about: Member[];
  package: string;
  environmentVariables: RegistryVariable[];
}

/** Of a JSON object. */
export interface Member {
  name: string;
  value: unknown;
}

export interface RegistryVariable {
  name: string;
  description: string;
  isRequired: boolean;
  isSecret: boolean;
  format: 'string';
  default?: string;
}

/** `manifest.json` (MCPB 0.3) */
export interface ManifestView {
  name: string;
  title: string;
  version: string;
  description: string;
  /** Author, and further members where the user's package.json says so. */
  about: Member[];
  node: string;
  tools: { name: string; description: string }[];
  /** Environment variable → reference to the user's setting. */
  environment: Record<string, string>;
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
  options: Record<string, Json>;
}

/** `Dockerfile` */
export interface DockerfileView {
  /** Callers are asked for a token. */
  hasAuth: boolean;
}

/** `compose.yaml` */
export interface ComposeView {
  /** Of the service and of its image. */
  bin: string;
  /** Names of the variables that are handed on. */
  variables: string[];
  hasVariables: boolean;
}

/** Templates that say the same for every project. */
export type ConstantView = Record<string, never>;
