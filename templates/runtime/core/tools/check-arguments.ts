/** A tool's arguments against its input schema. */
import { isRecord } from '../../contract/json-value.ts';
import { unfitWords } from '../../protocol/unfit-arguments.ts';
import { repairArguments } from '../../schema/index.ts';
import type { ToolEntry } from '../lazy-cache.ts';
import { inputValidator } from './tool-parts.ts';

export type CheckedArguments =
  | { ok: true; args: Record<string, unknown> }
  /** What is wrong, in words a model can act on. */
  | { ok: false; reason: string };

/**
 * Valid arguments stay as they are. Others are tried once more with JSON strings read where the schema wants an
 * object or an array, since models write those.
 */
export function checkArguments(tool: ToolEntry, args: Record<string, unknown>): CheckedArguments {
  const validate = inputValidator(tool);
  if (validate(args).length === 0) return { ok: true, args };
  const repaired = repairArguments(tool.listed.inputSchema, args);
  const errors = validate(repaired);
  if (errors.length === 0 && isRecord(repaired)) return { ok: true, args: repaired };
  const misfits = errors.map(({ message }) => message);
  return { ok: false, reason: unfitWords(tool.listed.name, misfits) };
}
