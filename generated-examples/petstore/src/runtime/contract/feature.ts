// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * A feature as a server knows it: `src/generated/features.json` holds the server's own features in full, and of the others the flags and
 * variables that it refuses. The table is `features.ts`.
 */
import type { FeatureLoaders } from '../feature-loaders.ts';

export interface Feature {
  name: string;
  /** Other features that come with it. Default none. */
  needs?: readonly string[];
  /** A project without this other feature does without it too. */
  with?: string;
  /** How to add a feature that `features` of a configuration cannot name. */
  addedBy?: string;
  /** Members of the server's definition that load it. Default: every server has it. */
  loadedBy?: readonly FeatureMember[];
  /** Flags of the server, by name. */
  flags?: Readonly<Record<string, FlagDefinition>>;
  variables?: readonly FeatureVariable[];
  /** Other names that begin so are variables of it too. */
  variablePrefix?: string;
  /** Servers without the feature that send requests warn of these variables too, in upper or lower case. Default none. */
  missed?: readonly string[];
  /** A server without the feature does not start while one of its variables is set: they concern safety or state. */
  isRefused?: true;
}

/** A member of the definition, or of its `features`. */
export type FeatureMember = keyof FeatureLoaders | 'functions' | 'auth';

export interface FlagDefinition {
  /** Placeholder of the value in the help; absent: a switch. */
  value?: string;
  /** A value, for messages. */
  example?: string;
  help: string;
  /** May be given several times. Default false. */
  repeatable?: boolean;
  /** Help of a server without an API, if it differs. */
  withoutApi?: string;
  /** Left out of a server without this other feature. */
  with?: string;
}

interface FeatureVariable extends EnvironmentVariable {
  /** Left out of a server without this other feature. */
  with?: string;
}

/** One line for a flag, a variable or a call of a feature that the server was generated without. */
export function withoutFeature(name: string, addedBy = `Add it: mcpgen generate --feature ${name}`): string {
  return `This server was generated without ${name}. ${addedBy}`;
}

/** An environment variable in words: for `--help`, and for the compiler's `.env.example` and README. */
export interface EnvironmentVariable {
  name: string;
  description: string;
  secret: boolean;
  /** The server is of no use without it. */
  required: boolean;
  default?: string;
}

/**
 * These steer Node, the loader of the operating system or which file is read, so they come from the environment alone.
 * Windows doesn't tell upper from lower case.
 */
const ENVIRONMENT_ALONE = /^(?:(?:NODE|LD|DYLD|OPENSSL|SSL_CERT)_.*|PATH|MCP_DOTENV)$/i;

/** Whether `.env` may set it. */
export function isForFile(name: string): boolean {
  return !ENVIRONMENT_ALONE.test(name);
}

export function plain(name: string, description: string, value?: string): EnvironmentVariable {
  const variable = { name, description, secret: false, required: false };
  return value === undefined ? variable : { ...variable, default: value };
}

export function secret(name: string, description: string): EnvironmentVariable {
  return { ...plain(name, description), secret: true };
}
