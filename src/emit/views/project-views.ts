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
  registryName: string;
  /** Configuration of clients, as JSON values, and the variables in it. */
  clients: {
    mcpServers: unknown;
    servers: unknown;
    environment: NeededVariable[];
    /** Some variable is in it. */
    asksForValues: boolean;
  };
  variables: EnvironmentRow[];
  tools: ToolRow[];
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
  package: string;
  environmentVariables: RegistryVariable[];
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
  /** Packages are installed in the image. */
  installs: boolean;
  /** Callers are asked for a token. */
  hasAuth: boolean;
}

/** Templates that say the same for every project. */
export type ConstantView = Record<string, never>;
