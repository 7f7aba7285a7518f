/** The environment variables that a server reads, beside those of its API's servers and credentials. */
import { type EnvironmentVariable, plain, secret } from '../contract/environment-variable.ts';
import { FEATURES } from '../features.ts';

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
  secret(
    'MCP_STATE_SECRET',
    'Signs the state of calls that ask their client questions: 32 characters or more, the same for all instances ' +
      'of this server. If unset, each process makes its own.',
  ),
];

/** The variables of a server with these features. */
export function variablesFor(present: ReadonlySet<string>): EnvironmentVariable[] {
  const ofFeatures = FEATURES.filter(({ name }) => present.has(name)).flatMap(({ variables = [] }) =>
    variables.filter((each) => each.with === undefined || present.has(each.with)),
  );
  return [...ofFeatures, ...COMMON_VARIABLES];
}
