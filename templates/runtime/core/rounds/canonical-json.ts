import { isRecord } from '../../contract/json-value.ts';
import { invalidParams } from '../../protocol/protocol-error.ts';
import { writeJson } from '../../contract/json-text.ts';

/**
 * JSON text that does not depend on the order of members: a client may write a request anew to repeat it.
 *
 * @throws {ProtocolError} `-32602` for what is nested too deeply to be written
 */
export function canonicalJson(value: unknown): string {
  try {
    return writeJson(value, (member) => (isRecord(member) ? sorted(member) : member));
  } catch (thrown) {
    if (thrown instanceof RangeError) throw invalidParams('The parameters are nested too deeply.');
    throw thrown;
  }
}

function sorted(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
