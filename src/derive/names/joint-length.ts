/** Bounds the names of server and tool together, since clients join the two. */
import { NAME_LENGTH } from '../../config/options/values.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { Origin } from '../../model/origin.ts';
import { commandName } from '../../model/published.ts';
import type { ServerModel } from '../../model/server-model.ts';
import { collectListedTools } from '../listing-cost.ts';

/**
 * Characters of a server's and a tool's name together: Claude Code calls a tool `mcp__<server>__<tool>`, of 64
 * characters at most; Gemini CLI and Cursor have similar limits (2026-11).
 */
const TOGETHER = 57;

/** Returns the most characters of a tool's name. `asked` is `maxNameLength`. Beside a long server's name the least limit holds, which `reportLongNames` reports. */
export function findToolNameLimit(limit: number | undefined, server: string, prefix: string): number {
  const beside = Math.min(NAME_LENGTH.default, TOGETHER - commandName({ name: server }).length);
  const { shortest, longest } = NAME_LENGTH;
  return Math.min(longest, Math.max(shortest + (limit === undefined ? prefix.length : 0), limit ?? beside));
}

/** Reports listed names that do not fit beside the server's: it is too long, or the lock keeps them. */
export function reportLongNames(
  model: ServerModel,
  limit: number | undefined,
  at: Origin | undefined,
  diagnostics: DiagnosticCollector,
): void {
  const server = commandName(model);
  const names = collectListedTools(model).map(({ name }) => name);
  const long = names.filter((name) => server.length + name.length > TOGETHER);
  const [first] = long.toSorted((one, other) => other.length - one.length);
  if (first === undefined || limit !== undefined) return;
  const parameters = { server, tool: first, count: long.length, length: server.length + first.length };
  diagnostics.report('names-long-together', { ...parameters, limit: TOGETHER }, { at });
}
