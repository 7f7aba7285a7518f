import type { SurfaceName } from '../model/listed-items.ts';
import type { ServerOptions } from '../config/options/option-types.ts';
import type { OutputSchemaMode, SourceOptions } from '../config/options/sources.ts';
import { NAME_LENGTH } from '../config/options/values.ts';
import type { Alphabet } from './names/clean-name.ts';
import { findToolNameLimit } from './names/joint-length.ts';
import type { ConfiguredTools } from './tool-rules.ts';

export interface ConfigurationPlace {
  file: string;
  /** Absent for code, in which members have no places. */
  text?: string;
  /** JSON Pointers of members. */
  pointers: { tools: string; workflows: string };
}

export interface DeriveOptions
  extends SourceOptions, Omit<ServerOptions, 'auth' | 'for' | 'hooks' | 'strict'> {
  /** Largest output schema, `$defs` included, in bytes of JSON. Default 8192. */
  outputSchemaLimit?: number;
  /** Whether an earlier run has left out output schemas by default, which stays. Absent: this run decides. */
  lockedOutputs?: 'off' | 'listed';
  /** Names given before, which stay. */
  nameLock?: NameLock;
  /** The surface that `auto` chose before, which stays. */
  lockedSurface?: SurfaceName | undefined;
  /** `login`: security schemes are bound with the flows in which a person signs in. */
  features?: string[];
  /** The file that has `tools` and `workflows`, for diagnostics. */
  configuration?: ConfigurationPlace;
  /** Use the names that the document suggests now, even if `nameLock` has others. Default false. */
  rename?: boolean;
}

/** Operation key (`GET /pets/{petId}`) → tool name, with its operationId if that differs. */
export type NameLock = Record<string, string | LockedName>;

export interface LockedName {
  name: string;
  /** Finds the operation again if its path or method has changed since. */
  operationId: string;
}

export interface DeriveSettings {
  prefix: string;
  /** The longest new name of a tool; a name in the lock stays. */
  maxNameLength: number;
  /** The longest name of a prompt or resource, which clients don't put behind the server's name. */
  maxItemName: number;
  toolNames: Alphabet;
  descriptionBudget: number;
  argumentBudget: number;
  outputSchema: OutputSchemaMode;
  functionOutputSchema: OutputSchemaMode;
  outputSchemaLimit: number;
  nameLock: NameLock;
  rename: boolean;
  tools: ConfiguredTools;
}

/** `server` is the server's name. */
export function deriveSettings(
  options: DeriveOptions,
  server: string,
  tools: ConfiguredTools,
): DeriveSettings {
  const { prefix = '' } = options;
  return {
    prefix,
    maxNameLength: findToolNameLimit(options.maxNameLength, server, prefix),
    maxItemName: findToolNameLimit(options.maxNameLength ?? NAME_LENGTH.default, server, prefix),
    toolNames: options.toolNames ?? 'models',
    descriptionBudget: options.budget?.description ?? 1000,
    argumentBudget: options.budget?.argument ?? 300,
    outputSchema: options.outputSchema ?? 'loose',
    functionOutputSchema: options.outputSchema ?? 'strict',
    outputSchemaLimit: options.outputSchemaLimit ?? 8192,
    nameLock: options.nameLock ?? {},
    rename: options.rename ?? false,
    tools,
  };
}
