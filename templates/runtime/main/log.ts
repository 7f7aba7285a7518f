/** What the server tells the one who runs it, on standard error. */
import { isWanted } from '../core/log-level.ts';
import type { LogLevel } from '../definition.ts';

export type Log = (level: LogLevel, text: string) => void;

export function createLog(name: string, least: LogLevel, output: { write(text: string): unknown }): Log {
  return (level, text) => {
    if (isWanted(level, least)) output.write(`${name}: ${level === 'info' ? '' : `${level}: `}${text}\n`);
  };
}

/** Everything there is to know of something thrown: this is for the one who can mend it. */
export function describe(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}
