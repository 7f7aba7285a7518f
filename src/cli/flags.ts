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
  include?: string[];
  exclude?: string[];
  bodyMediaType?: string[];
  routeMap?: string;
  maxNameLength?: number;
  outputSchema?: 'loose' | 'strict' | 'off';
  allowRemoteRefs?: string[];
  refRoot?: string;
  strict?: boolean;
}

/** Options about the project folder. */
export interface WriteFlags {
  output?: string;
  templates?: string;
  dryRun?: boolean;
  check?: boolean;
  force?: boolean;
  rename?: boolean;
}

/** What each command's work is given. */
export interface Invocation<Flags> {
  host: Host;
  flags: Flags & ReportFlags;
}
