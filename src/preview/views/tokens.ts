import type { TokenParts } from '../protocol.ts';
import { cutInputForListing, toListedSchema } from '../../emit/index.ts';
import type { Tool } from '../../model/server-model.ts';
import { estimateTokens } from '../../util/estimate-tokens.ts';

/** Estimated tokens of the members of a listed tool. `total` is that of the whole, which costs a little more or less. */
export function countTokensByPart(tool: Tool, total: number): TokenParts {
  const { name, title, description, inputSchema, outputSchema, annotations, icons, _meta } = tool;
  return {
    total,
    name: countTokensOf({ name, title }),
    description: countTokensOf(description),
    input: countTokensOf(cutInputForListing(inputSchema).schema),
    output: outputSchema === undefined ? 0 : countTokensOf(toListedSchema(outputSchema)),
    annotations: [annotations, icons, _meta].every((value) => value === undefined)
      ? 0
      : countTokensOf({ annotations, icons, _meta }),
  };
}

function countTokensOf(value: unknown): number {
  return value === undefined ? 0 : estimateTokens(JSON.stringify(value));
}
