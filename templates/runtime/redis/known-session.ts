// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** All nodes know this of a session: one value in the shared state, which is checked when it is read back. */
import { omitUndefined, writeJson } from '../contract/json-value.ts';
import { isLogLevel } from '../core/call-context.ts';
import type { SessionChange } from '../core/session.ts';
import type { LogLevel } from '../definition.ts';
import { readObject } from './shared-bus.ts';

export interface Known {
  level: LogLevel | undefined;
  uris: readonly string[];
  /** Scopes of the subscriptions. */
  scopes: readonly string[];
  /** The node that writes changes to the listening stream, until it ends the session. */
  listener: string | undefined;
  /** Id of the last event of the listening stream that the client had been given when it left. */
  given: string | undefined;
  /** Whether the client has left the stream while its node writes on. */
  left: boolean;
}

/**
 * Changes may be lost if the listening node was killed (it is still named, and its client did not leave), or ended the session after its
 * client had left (no node is named).
 */
export function mayHaveMissedChanges({ listener, left }: Known, node: string): boolean {
  return listener !== node && (listener === undefined) === left;
}

export function applyChange(known: Known, change: SessionChange): Known {
  if ('level' in change) return { ...known, level: change.level };
  if ('unsubscribed' in change)
    return { ...known, uris: known.uris.filter((uri) => uri !== change.unsubscribed) };
  return {
    ...known,
    uris: [...new Set([...known.uris, change.subscribed])],
    scopes: [...new Set([...known.scopes, ...change.scopes])],
  };
}

export function printKnownSession(known: Known): string {
  return writeJson(omitUndefined({ ...known }));
}

export function parseKnownSession(text = '{}'): Known {
  const { level, uris, scopes, listener, given, left } = readObject(text);
  return {
    level: isLogLevel(level) ? level : undefined,
    uris: keepStrings(uris),
    scopes: keepStrings(scopes),
    listener: typeof listener === 'string' ? listener : undefined,
    given: typeof given === 'string' && /^\d{1,15}-\d{1,15}$/.test(given) ? given : undefined,
    left: left === true,
  };
}

function keepStrings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
