// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
import { plainVariable, secretVariable } from './common-variables.ts';
import type { EnvironmentVariable } from './feature.ts';

/** The variable `MCP_NODES`, which DPoP reads too. */
export const NODES: EnvironmentVariable = plainVariable(
  'MCP_NODES',
  'How many nodes serve together. While Redis is away, each limits rates to its part.',
  '1',
);

export const REDIS_VARIABLES: readonly EnvironmentVariable[] = [
  secretVariable(
    'MCP_REDIS_URL',
    'Over HTTP: Redis that the nodes of this server share, such as rediss://user:password@redis.example:6379/0. With MCP_REDIS_MODE, several by commas.',
  ),
  plainVariable('MCP_REDIS_MODE', 'single, cluster or sentinel: what MCP_REDIS_URL names.', 'single'),
  plainVariable('MCP_REDIS_SENTINEL_MASTER', 'Name that the sentinels have for the master.', 'mymaster'),
  plainVariable('MCP_REDIS_PREFIX', 'First part of all keys and channels. If unset, the name of the server.'),
  NODES,
  plainVariable(
    'MCP_REVOCATION',
    'While Redis is away: lenient lets sessions live that another node may have ended, strict answers 503.',
    'lenient',
  ),
];
