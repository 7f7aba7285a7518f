/** What each template of `templates/project/` is given. Complete: a template needs no decision and no fallback. */

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
  /** `npm run sbom` is one. */
  hasSbom: boolean;
  /** There is a package that it runs with. */
  hasDependencies: boolean;
  /** Package → range. */
  dependencies: Record<string, string>;
  /** Package → range; what the project is built with. */
  devDependencies: Record<string, string>;
}

/** `README.md` */
export interface ReadmeView {
  /** The name of the package, and of the server. */
  name: string;
  /** The command's name. */
  bin: string;
  /** What people call the server. */
  title: string;
  /** Markdown without emphasis, 500 characters at most. */
  description: string;
  /** What the project is compiled from: the last part of a path or URL. */
  source: string;
  /** The name of the project's configuration. */
  config: string;
  /** `20.19 or newer`; a range of another form in backticks. */
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
  /** The server's name in the MCP registry. */
  registryName: string;
  /** That name is no placeholder. */
  isNamed: boolean;
  /** Which files that may be left out are there. */
  has: {
    /** `.env.example` */
    environment: boolean;
    /** `Dockerfile` */
    container: boolean;
    /** `compose.yaml` */
    compose: boolean;
    /** `manifest.json`, and what makes a bundle of it. */
    bundle: boolean;
    /** `sbom.mjs` */
    sbom: boolean;
    /** `server.json` */
    registry: boolean;
    /** `.github/workflows/publish.yml` */
    workflow: boolean;
  };
  /** Configuration of clients, as JSON values, and the variables in it. */
  clients: ClientsView;
  /** All that the server reads from its environment. */
  variables: EnvironmentRow[];
  /** In the order in which they are listed. */
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
  links: {
    /** `vscode:mcp/install?…` */
    vscode: string;
    /** The same over a page that forwards to it. */
    vscodePage: string;
    /** `cursor://…` */
    cursor: string;
    /** The same over a page that forwards to it. */
    cursorPage: string;
  };
  /** The variables that the tools need at least. */
  environment: NeededVariable[];
  /** Some variable is in it. */
  asksForValues: boolean;
}

export interface EnvironmentRow {
  /** The name of the variable. */
  name: string;
  /** What it is for. */
  description: string;
  /** Empty when there is none. */
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

/** `.env.example` */
export interface EnvironmentView {
  /** What people call the server. */
  title: string;
  /** All that the server reads from its environment. */
  variables: EnvironmentRow[];
}

/** `server.json` (MCP registry, schema of 2025-12-11) */
export interface RegistryView {
  /** The server's name in the MCP registry. */
  name: string;
  /** 100 characters at most. */
  title: string;
  /** Plain text, 100 characters at most. */
  description: string;
  /** A version as npm reads it. */
  version: string;
  /** Further members, where the user's package.json says so. */
  about: Member[];
  /** The name of the package. */
  package: string;
  /** Those of the API; the registry's members. */
  environmentVariables: RegistryVariable[];
}

/** Of a JSON object. */
export interface Member {
  /** Its key. */
  name: string;
  /** Data, as JSON holds it. */
  value: unknown;
}

export interface RegistryVariable {
  /** The name of the variable. */
  name: string;
  /** What it is for. */
  description: string;
  /** Tools cannot be called without it. */
  isRequired: boolean;
  /** It is shown to nobody. */
  isSecret: boolean;
  /** How its text is read. */
  format: 'string';
  /** Absent when there is none. */
  default?: string;
}

/** `manifest.json` (MCPB 0.3) */
export interface ManifestView {
  /** The name of the package, and of the server. */
  name: string;
  /** What people call the server. */
  title: string;
  /** A version as npm reads it. */
  version: string;
  /** Plain text, 500 characters at most. */
  description: string;
  /** Author, and further members where the user's package.json says so. */
  about: Member[];
  /** The range of versions of Node.js: `>=20.19`. */
  node: string;
  /** In the order in which they are listed. */
  tools: {
    /** The name that clients call it by. */
    name: string;
    /** One line, 100 characters at most. */
    description: string;
  }[];
  /** Environment variable → reference to the user's setting. */
  environment: Record<string, string>;
  /** By name: what the user of the bundle is asked for. */
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
  /** Some variable is read from the environment. */
  hasVariables: boolean;
}

/** Templates that say the same for every project. */
export type ConstantView = Record<string, never>;
