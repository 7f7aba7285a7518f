// Types for the tests; the words stand in `client-subsets.mjs`.
import type { ObjectSchema } from '../../../templates/runtime/contract/json-schema.ts';

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
