// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Environment variables of sessions and signed states, for the compiler. */
import { plainVariable, secretVariable } from './common-variables.ts';
import type { EnvironmentVariable } from './feature.ts';

export const STATE_SECRETS: readonly EnvironmentVariable[] = [
  secretVariable(
    'MCP_STATE_SECRET',
    'Signs ids of sessions over HTTP, so that any node continues a session, and the state of calls that ask their client: 32 characters ' +
      'or more, the same on all nodes. If unset, sessions live in one process, and each process signs states by its own.',
  ),
  secretVariable(
    'MCP_STATE_SECRET_PREVIOUS',
    'The secret before this one: what it signed is accepted, and nothing is signed with it. Drop it when the sessions have expired.',
  ),
];

export const SIGNED_SESSION_VARIABLES: readonly EnvironmentVariable[] = [
  ...STATE_SECRETS,
  plainVariable(
    'MCP_SESSION_TTL',
    'Seconds until a signed session expires, however much it is used.',
    '604800',
  ),
];
