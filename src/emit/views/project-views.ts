/** The data of each template of `templates/project/`. It is complete: a template needs no decision and no fallback. */

import type { Json } from '../../util/json-schema.ts';
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
  /** `mcpName` is given, or has its place in `server.json`. */
  hasMcpName: boolean;
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
  /** Last part of the source's path or URL. */
  source: string;
  /** The name of the project's configuration. */
  config: string;
  /** `20.19 or newer`, or another range in backticks. */
  node: string;
  /** Whether packages must be installed before the server runs. */
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
  /** It serves HTTP. */
  hasHttp: boolean;
  /** The server has the flag `--mock`, which the README shows. */
  hasMock: boolean;
  /** Configuration of clients, as JSON values, and the variables in it. */
  clients: ClientsView;
  /** All environment variables of the server. */
  variables: EnvironmentRow[];
  /** Environment variables of its API or APIs: addresses and credentials. */
  apiVariables: EnvironmentRow[];
  /** In listed order, the first 100 at most. */
  tools: ToolRow[];
  /** How many tools are not in `tools`. */
  moreTools: number;
  /** Clients list the tools that search in their place, unless the server is started with another surface. */
  isSearched: boolean;
  /** If tools are left out: the tags of the source, the first 100 at most, with the number of their tools. */
  tags: TagRow[];
  /** Resources, then templates of resources, in listed order, the first 100 at most. */
  resources: ResourceRow[];
  /** How many are not in `resources`. */
  moreResources: number;
  /** In listed order. */
  prompts: PromptRow[];
}

/** Configuration of clients, as JSON values, and the variables in it. */
export interface ClientsView {
  /** For Claude Desktop, Cursor and Windsurf: the server in a local folder. */
  mcpServers: unknown;
  /** Web pages that install the package from npm: they forward to a link of the client. */
  links: {
    /** For VS Code. */
    vscodePage: string;
    /** For Cursor. */
    cursorPage: string;
  };
  /** The variables that tools need. */
  environment: NeededVariable[];
}

export interface EnvironmentRow {
  /** The name of the variable. */
  name: string;
  /** Its purpose. */
  description: string;
  /** Default value of the variable; empty if there is none. */
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
  /** The tag as the source writes it. */
  tag: string;
  /** Number of tools whose first tag it is. */
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
}

/** What the template of `.env.example` is given. */
export interface EnvironmentView {
  /** Name of the server for people. */
  title: string;
  /** All environment variables of the server. */
  variables: EnvironmentFileRow[];
}

export interface EnvironmentFileRow extends EnvironmentRow {
  /** The first one of the API, of limits, or of HTTP. */
  isFirst: boolean;
}

/** `tsconfig.json` */
export interface TsconfigView {
  /** `compilerOptions`. */
  options: Record<string, Json>;
}

/** Templates whose output is the same for every project. */
export type ConstantView = Record<string, never>;
