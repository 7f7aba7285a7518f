import { parseJson } from '../../templates/runtime/json-rpc.ts';

/** Parses JSON; undefined if the text is not valid JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** As above; integers beyond ±2^53 become `bigint`. */
export function tryParseJsonExactly(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
