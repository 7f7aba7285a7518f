import type { GenerateOptions } from '../api/generate.ts';
import type { Omittable, PublishTarget } from '../model/published.ts';
import type { Host } from './host.ts';
import { definedMembers } from '../util/defined-members.ts';

/** How to talk; options of every command. */
export interface ReportFlags {
  json?: boolean;
  quiet?: boolean;
  verbose?: boolean;
}

/** Options about what the server offers, as commander hands them over. */
export interface CompileFlags extends PermissionFlags {
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

/** Consent flags as commander hands them over: `code` is false with `--no-code`. */
export interface PermissionFlags {
  code?: boolean;
  allowEnv?: string[];
  allowOutput?: string[];
}

/** Options about the project folder. */
export interface WriteFlags {
  output?: string;
  templates?: string;
  registryName?: string;
  publish?: PublishTarget[];
  omit?: Omittable[];
  dryRun?: boolean;
  check?: boolean;
  force?: boolean;
  keep?: boolean;
  merge?: boolean;
  rename?: boolean;
  acceptOrigin?: string[];
  rebuildLock?: boolean;
}

type Kept = Pick<WriteFlags, 'templates' | 'registryName' | 'publish' | 'omit'>;
type WriteOptions = Pick<GenerateOptions, 'dir' | 'acceptOrigins'> &
  Kept &
  Required<Omit<WriteFlags, 'output' | 'acceptOrigin' | keyof Kept>>;

/** Where a project goes, and how, as options of the programmatic API. */
export function writeOptions({
  output,
  templates,
  registryName,
  publish,
  omit,
  dryRun = false,
  check = false,
  force = false,
  keep = false,
  merge = false,
  rename = false,
  acceptOrigin,
  rebuildLock = false,
}: WriteFlags): WriteOptions {
  return {
    dryRun,
    check,
    force,
    keep,
    merge,
    rename,
    rebuildLock,
    ...definedMembers({ dir: output, templates, registryName, publish, omit, acceptOrigins: acceptOrigin }),
  };
}

/** What each command's work is given. */
export interface Invocation<Flags> {
  host: Host;
  flags: Flags & ReportFlags;
}
