/** What the server tells the one who runs it, on standard error. */
import { isWanted } from '../core/log-level.ts';
import type { LogLevel } from '../definition.ts';

export type Log = (level: LogLevel, text: string) => void;

export function createLog(name: string, least: LogLevel, host: Pick<NodeJS.Process, 'stderr'>): Log {
  return (level, text) => {
    if (isWanted(level, least))
      host.stderr.write(`${name}: ${level === 'info' ? '' : `${level}: `}${text}\n`);
  };
}
