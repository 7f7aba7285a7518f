/** `logging/setLevel`: from which severity on the client wants to hear. */
import { invalidParams } from '../protocol/protocol-error.ts';
import type { Method } from './call.ts';
import { isLogLevel, LOG_LEVELS } from './log-level.ts';

export const setLevel: Method = ({ exchange, params }) => {
  const { level } = params;
  if (!isLogLevel(level)) throw invalidParams(`\`level\` must be one of ${LOG_LEVELS.join(', ')}.`);
  exchange.session.logLevel = level;
  return {};
};
