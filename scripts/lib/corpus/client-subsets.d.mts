import type { ObjectSchema } from '../../../src/util/json-schema.ts';

export const SUBSET_NAMES: string[];
export function unreportedFaults(
  client: string,
  compiled: {
    server: string;
    tools: readonly { name: string; inputSchema: ObjectSchema }[];
    reported: readonly string[];
  },
): string[];
