import type { ServerOptions } from '../config/options/option-types.ts';
import type { ToolRules } from '../config/options/argument-rules.ts';
import type { OutputSchemaMode, SourceOptions } from '../config/options/sources.ts';
import { NAME_LENGTH } from '../config/options/values.ts';

export interface DeriveOptions
  extends SourceOptions, Omit<ServerOptions, 'auth' | 'budget' | 'for' | 'helpers' | 'hooks' | 'strict'> {
  /** Longest tool description, in characters. Default 1000. */
  descriptionBudget?: number;
  /** Largest output schema, `$defs` included, in bytes of JSON. Default 8192. */
  outputSchemaLimit?: number;
  /** Names given before, which stay. */
  nameLock?: NameLock;
  /** Use the names that the document suggests now, even if `nameLock` has others. Default false. */
  rename?: boolean;
}

/** Operation key (`GET /pets/{petId}`) → tool name, with its operationId if that differs. */
export type NameLock = Record<string, string | LockedName>;

export interface LockedName {
  name: string;
  /** Finds the operation again after its path has changed. */
  operationId: string;
}

export interface DeriveSettings {
  prefix: string;
  maxNameLength: number;
  descriptionBudget: number;
  outputSchema: OutputSchemaMode;
  functionOutputSchema: OutputSchemaMode;
  outputSchemaLimit: number;
  nameLock: NameLock;
  rename: boolean;
  tools: Record<string, ToolRules>;
}

export function deriveSettings(options: DeriveOptions): DeriveSettings {
  return {
    prefix: options.prefix ?? '',
    maxNameLength: Math.min(
      NAME_LENGTH.longest,
      Math.max(NAME_LENGTH.shortest, options.maxNameLength ?? NAME_LENGTH.default),
    ),
    descriptionBudget: options.descriptionBudget ?? 1000,
    outputSchema: options.outputSchema ?? 'loose',
    functionOutputSchema: options.outputSchema ?? 'strict',
    outputSchemaLimit: options.outputSchemaLimit ?? 8192,
    nameLock: options.nameLock ?? {},
    rename: options.rename ?? false,
    tools: options.tools ?? {},
  };
}
