/** The data of the templates that publish and deploy a project. As in `project-views.ts`, it is complete. */

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
}

export interface NamedUrl {
  /** The transport. */
  type: 'streamable-http';
  /** The endpoint. */
  url: string;
}

/** A member of a JSON object. */
export interface NamedValue {
  /** Key of the member. */
  name: string;
  /** Value of the member, as JSON data. */
  value: unknown;
}

export interface RegistryVariable {
  /** The name of the variable. */
  name: string;
  /** Its purpose. */
  description: string;
  /** Whether tools need the variable. */
  isRequired: boolean;
  /** Whether the value must not be shown. */
  isSecret: boolean;
  /** Type of the variable's value. */
  format: 'string';
  /** Default value of the variable. Absent if there is none. */
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
    /** Description of the tool on one line, 100 characters at most. */
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
  /** Variables that a deployment may set too, with their defaults. */
  otherSettings: NamedSetting[];
  /** Variables from the Secret `from`. */
  secrets: SecretSetting[];
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
  /** Value of the variable, else its default. */
  value: string;
}

interface SecretSetting {
  /** Name of the variable, and of the key in the Secret. */
  name: string;
  /** Name of the Secret. */
  from: string;
  /** Whether pods start without the Secret. */
  isOptional: boolean;
}
