// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The severities of RFC 5424, section 6.2.1, as MCP names them. */
import { isRecord } from '../contract/json-value.ts';
import type { LogLevel } from '../definition.ts';
import { invalidParams } from '../protocol/protocol-error.ts';
import { META } from '../protocol/revisions.ts';
import type { Call, Method } from './call.ts';

/** Least severe first. */
export const LOG_LEVELS: readonly LogLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

export function isLogLevel(value: unknown): value is LogLevel {
  return LOG_LEVELS.some((level) => level === value);
}

/** Whether `level` is at least as severe as `least`. */
export function isWanted(level: LogLevel, least: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(least);
}

/**
 * The least severe level that the call's client wants, by its session or, in the modern era, by the request. Undefined: it
 * wants no logs.
 */
export function leastWanted({ session, params }: Call): LogLevel | undefined {
  if (session !== undefined) return session.logLevel;
  const { _meta: meta } = params;
  const level = isRecord(meta) ? meta[META.logLevel] : undefined;
  return isLogLevel(level) ? level : undefined;
}

/** `logging/setLevel` sets the least severe level that the client wants. */
export const setLevel: Method = async ({ session, params }) => {
  const { level } = params;
  if (!isLogLevel(level)) throw invalidParams(`\`level\` must be one of ${LOG_LEVELS.join(', ')}.`);
  if (session !== undefined) session.logLevel = level;
  return {};
};
