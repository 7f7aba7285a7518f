/** The server's name in the MCP registry. */
import { commandName } from './command-name.ts';
import type { EmitOptions } from './emit-options.ts';

/** Only the owner of a namespace (`io.github.<account>`) can publish under it. */
export function registryName(
  model: { name: string },
  { published, registryName: named }: Pick<EmitOptions, 'published' | 'registryName'>,
): string {
  return published?.mcpName ?? named ?? placeholderName(model);
}

/** Valid, and refused by the registry. */
export function placeholderName(model: { name: string }): string {
  return `io.github.owner/${commandName(model)}`;
}
