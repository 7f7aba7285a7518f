import type { Host } from './host.ts';

/** How to talk; options of every command. */
export interface ReportFlags {
  json?: boolean;
  quiet?: boolean;
  verbose?: boolean;
}

/** Options about what the server offers, as commander hands them over. */
export interface CompileFlags {
  name?: string;
  serverVersion?: string;
  baseUrl?: string;
  overlay?: string[];
  include?: string[];
  exclude?: string[];
  bodyMediaType?: string[];
  routeMap?: string;
  maxNameLength?: number;
  outputSchema?: 'loose' | 'strict' | 'off';
  allowRemoteRefs?: string[];
  refRoot?: string;
  auth?: 'oauth' | 'none';
  strict?: boolean;
}

/** Options about the project folder. */
export interface WriteFlags {
  output?: string;
  templates?: string;
  dryRun?: boolean;
  check?: boolean;
  force?: boolean;
  keep?: boolean;
  merge?: boolean;
  rename?: boolean;
}

/** Where a project goes, and how, as options of the programmatic API. */
export function writeOptions({
  output,
  templates,
  dryRun = false,
  check = false,
  force = false,
  keep = false,
  merge = false,
  rename = false,
}: WriteFlags): { dir?: string; templates?: string } & Required<Omit<WriteFlags, 'output' | 'templates'>> {
  return {
    dryRun,
    check,
    force,
    keep,
    merge,
    rename,
    ...(output === undefined ? {} : { dir: output }),
    ...(templates === undefined ? {} : { templates }),
  };
}

/** What each command's work is given. */
export interface Invocation<Flags> {
  host: Host;
  flags: Flags & ReportFlags;
}
