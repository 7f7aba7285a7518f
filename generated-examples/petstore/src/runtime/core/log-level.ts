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

/** Whether a message of `level` is wanted by one who asked for `least` and above. */
export function isWanted(level: LogLevel, least: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(least);
}

/**
 * From which severity on the client of `call` wants to hear: what its session says, or in the modern era the request.
 * Undefined: it wants none.
 */
export function leastWanted({ session, params }: Call): LogLevel | undefined {
  if (session !== undefined) return session.logLevel;
  const { _meta: meta } = params;
  const level = isRecord(meta) ? meta[META.logLevel] : undefined;
  return isLogLevel(level) ? level : undefined;
}

/** `logging/setLevel`: from which severity on the client wants to hear. */
export const setLevel: Method = async ({ session, params }) => {
  const { level } = params;
  if (!isLogLevel(level)) throw invalidParams(`\`level\` must be one of ${LOG_LEVELS.join(', ')}.`);
  if (session !== undefined) session.logLevel = level;
  return {};
};
