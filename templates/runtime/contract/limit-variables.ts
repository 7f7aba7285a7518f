// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
import { plainVariable } from './common-variables.ts';
import type { EnvironmentVariable, LimitVariable } from './feature.ts';

const LIMIT_WORDS: Readonly<Record<string, string>> = {
  unfinishedBytes: 'Bytes of incomplete request bodies and messages over HTTP, of all clients together.',
  unfinishedBytesPerAddress: 'Bytes of incomplete request bodies and messages of one client address.',
  unreadBytes: 'Bytes of answers and events over HTTP that clients have not read, of all clients together.',
  unreadBytesPerAddress: 'Bytes of answers and events that one client address has not read.',
  concurrency: 'Requests sent to the API at one time; others wait. If unset, no limit.',
  timeoutMs: 'Milliseconds that a call of the API may take, retries included.',
  responseBytes: 'Bytes read of one answer of the API.',
  resultCharacters: 'Characters of an answer handed to the client.',
  fileBytes: 'Bytes of one file that is sent or saved.',
  streamItems: 'Items read of an answer that is a sequence: events, JSON lines.',
  streamMs: 'Milliseconds that a sequence is read for.',
};

/** Limits as variables of the environment, with their defaults. */
export function limitVariables<L extends string>(
  variables: readonly LimitVariable<L>[],
  defaults: Readonly<Partial<Record<L, number>>>,
): EnvironmentVariable[] {
  return variables.map(([limit, name]) =>
    plainVariable(name, LIMIT_WORDS[limit] ?? '', defaults[limit]?.toString()),
  );
}
