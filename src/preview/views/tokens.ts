import type { TokenParts } from '../protocol.ts';
import { listedInput, listedSchema } from '../../emit/index.ts';
import type { Tool } from '../../model/server-model.ts';
import { estimateTokens } from '../../util/estimate-tokens.ts';

/** Estimated tokens of the members of a listed tool. `total` is that of the whole, which costs a little more or less. */
export function tokenParts(tool: Tool, total: number): TokenParts {
  const { name, title, description, inputSchema, outputSchema, annotations, icons, _meta } = tool;
  return {
    total,
    name: measure({ name, title }),
    description: measure(description),
    input: measure(listedInput(inputSchema).schema),
    output: outputSchema === undefined ? 0 : measure(listedSchema(outputSchema)),
    annotations: [annotations, icons, _meta].every((each) => each === undefined)
      ? 0
      : measure({ annotations, icons, _meta }),
  };
}

function measure(value: unknown): number {
  return value === undefined ? 0 : estimateTokens(JSON.stringify(value));
}
