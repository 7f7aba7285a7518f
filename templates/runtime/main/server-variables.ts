// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The environment variables that a server reads, beside those of its API's servers and credentials. */
import { type EnvironmentVariable, plain } from '../contract/environment-variable.ts';
import type { ServerFeatures } from './present-features.ts';

const COMMON_VARIABLES: readonly EnvironmentVariable[] = [
  plain(
    'MCP_RATE_LIMIT',
    'Calls a minute of one client, by its subject or else its address, or off; --rate-limit wins. If unset: 6000 over ' +
      'HTTP, no limit on stdio.',
  ),
  plain(
    'MCP_DOTENV',
    'File of variables that is read instead of .env beside package.json; --dotenv wins. From the environment alone.',
  ),
];

/** The variables of a server with these features. */
export function variablesFor({ rows, present }: ServerFeatures): EnvironmentVariable[] {
  const ofFeatures = rows
    .filter(({ name }) => present.has(name))
    .flatMap(({ variables = [] }) =>
      variables.filter((each) => each.with === undefined || present.has(each.with)),
    );
  return [...ofFeatures, ...COMMON_VARIABLES];
}
