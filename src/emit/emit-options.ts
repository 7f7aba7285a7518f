import type { TemplateFolder } from './templates/compile-template.ts';
import type { AppFiles } from '../model/app-files.ts';
import { PUBLISH_TARGETS, type Published, type PublishTarget, publishTargets } from '../model/published.ts';
import type { AuthOptions } from '../model/feature-table.ts';

/** Path of the configuration that mcpgen writes into a new project. */
export const CONFIG_PATH = 'mcpgen.config.json';

/** The lock records it: a project is recognised by its sources. */
export interface Provenance {
  /** The files that the documents were read from, as sorted paths from the project's folder; URLs are left out. */
  inputs: string[];
}

export interface HandlerCode {
  files: readonly { contents: string }[];
  /** The members that the code reads: `elicit` of `context.elicit`. */
  members: ReadonlySet<string>;
  /** The keys of its objects: `upstreamCredentials`. */
  keys: ReadonlySet<string>;
}

export interface EmitOptions {
  /** The source as the user named it; headers of files have only the last part of its path. */
  source: string | string[];
  compilerVersion: string;
  /** The text of `mcpgen.config.json`, which is the user's once it is there. Absent: the configuration is elsewhere. */
  config?: string;
  /** The configuration that owns the project, as a path from its folder. Default: `mcpgen.config.json`. */
  configuration?: string;
  /** The project's server, if that configuration has several. */
  server?: string;
  /** Folder of templates that replace those of the same name (`src/server.ts.hbs`). Default: none. */
  templates?: TemplateFolder;
  /** Operation → name before the hook changed it, which the lock remembers. */
  names?: Record<string, string>;
  /** The user's own code, for a model whose bindings name functions. */
  app?: AppFiles;
  /** The user's code stays where it is, and the project has only what is built of it. Default false. */
  link?: boolean;
  /** The project's folder, from which source maps of linked code lead to it. */
  root?: string;
  /** The handlers on disk, which may need features. Default: they need none. */
  handlers?: HandlerCode;
  /** Rules for tokens of callers over HTTP. Default: no token is needed. */
  auth?: AuthOptions;
  /** URL of the endpoint where the server is hosted. Default: not hosted. */
  hostedUrl?: string;
  /** Members of the package.json in the folder, which take precedence over the model. Default: none. */
  published?: Published;
  publish?: readonly PublishTarget[];
  /** Features of the runtime beside those that the model needs. Default: stdio and http. */
  features?: readonly string[];
  /** Features in a `src/server.ts` that the user owns: their modules stay, since it imports them. Default none. */
  ownedFeatures?: ReadonlySet<string>;
  /** `spec`: the user's own tools may have names that models' APIs refuse. Default: they may not. */
  toolNames?: 'models' | 'spec';
  provenance?: Provenance;
  /** Receives each tool that the golden test has no call of, and why. */
  onLeftOut?: (tool: string, reason: string) => void;
  /** Aborted by Ctrl-C. */
  signal?: AbortSignal;
}

/** Lists files of targets that are not published to. */
export function leftOut({ publish = [] }: EmitOptions): Set<string> {
  return new Set<string>(
    publishTargets.flatMap((target) => (publish.includes(target) ? [] : PUBLISH_TARGETS[target])),
  );
}
