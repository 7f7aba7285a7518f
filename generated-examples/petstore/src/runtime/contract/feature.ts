/** The shape of a row in the table of features. */
import type { FeatureLoaders } from '../feature-loaders.ts';
import type { EnvironmentVariable } from './environment-variable.ts';

export interface Feature {
  name: string;
  /** One line for `--help`, the README and the reference. */
  about: string;
  /** A model or configuration that meets one of these conditions makes a project have the feature. */
  neededBy?: readonly FeatureNeed[];
  /** A project has it unless its configuration names its features. Default false. */
  isDefault?: true;
  /** Other features that come with it. Default none. */
  needs?: readonly string[];
  /** A project without this other feature does without it too. */
  with?: string;
  /** How to add a feature that `features` of a configuration cannot name. */
  addedBy?: string;
  /** The modules that it begins with. */
  entries: readonly FeatureEntry[];
  /** Flags of the server, by name. */
  flags?: Readonly<Record<string, FlagDefinition>>;
  variables?: readonly FeatureVariable[];
  /** Other names that begin so are variables of it too. */
  variablePrefix?: string;
  /** A server without the feature does not start while one of its variables is set: they concern safety or state. */
  isRefused?: true;
  /** A line of the README's commands: the arguments, and what they start. */
  command?: readonly [args: string, words: string];
  /** The README's paragraph, in Markdown. Default `about`. */
  readme?: string;
  /** Its page, from the folder of the documentation. */
  docs: string;
}

/**
 * `binding`: a tool or resource is bound to it. `auth`: callers need a token. `code`: functions use one of these members of
 * their context. `publish`: the project has this publish target. `api`: requests to an API, or its answers, hold it; or the
 * configuration says something of it.
 */
export type FeatureNeed =
  | { binding: 'http' | 'function' }
  | { auth: true }
  | { taskSupport: true }
  | { code: readonly string[] }
  | { publish: string }
  | { api: ApiNeed };

export type ApiNeed = 'bodies' | 'client-credentials' | 'transfers' | 'exchange';

export interface FeatureEntry {
  /** Without an extension. */
  module: string;
  /** The member of the definition's `features` that loads it. */
  loader?: keyof FeatureLoaders;
  /** The member of the definition that loads it, without a loader. */
  member?: 'functions' | 'auth';
  /** Left out of a project without this other feature. */
  with?: string;
}

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

export interface FeatureVariable extends EnvironmentVariable {
  /** Left out of a server without this other feature. */
  with?: string;
}

/** One line for a flag, a variable or a call of a feature that the server was generated without. */
export function withoutFeature(name: string, addedBy = `Add it: mcpgen generate --feature ${name}`): string {
  return `This server was generated without ${name}. ${addedBy}`;
}
