import type { ObjectSchema } from '../../../src/util/json-schema.ts';

export interface ListedForClient {
  name: string;
  inputSchema: ObjectSchema;
}

export const SUBSET_NAMES: string[];
export function subsetFaults(client: string, server: string, tools: readonly ListedForClient[]): string[];
export function unreportedFaults(
  client: string,
  compiled: { server: string; tools: readonly ListedForClient[]; reported: readonly string[] },
): string[];
