/** The names and the version by which a server is published: on npm, as a command, and in the MCP registry. */
import { SEMVER, commandName } from '../model/published.ts';
import type { EmitOptions } from './emit-options.ts';

/** Only the owner of a namespace (`io.github.<account>`) can publish under it. */
export function registryName(model: { name: string }, { published }: Pick<EmitOptions, 'published'>): string {
  return published?.mcpName ?? placeholderName(model);
}

/** Returns the registry's name; undefined if only the placeholder is known. */
export function findGivenRegistryName(
  model: { name: string },
  options: Pick<EmitOptions, 'published'>,
): string | undefined {
  const name = registryName(model, options);
  return name === placeholderName(model) ? undefined : name;
}

/** Makes a name that is valid, and refused by the registry. */
export function placeholderName(model: { name: string }): string {
  return `io.github.owner/${commandName(model)}`;
}

/** Returns a version that npm and registries accept: the server's if it is semver, else its first numbers. */
export function packageVersion(version: string): string {
  if (SEMVER.test(version)) return version;
  const [major = '1', minor = '0', patch = '0'] = version.match(/\d{1,9}/g) ?? [];
  return [major, minor, patch].map(Number).join('.');
}
