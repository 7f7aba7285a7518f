/** A result of a tool, as far as steps read it. */
export interface ToolResult {
  content: { text?: string; resource?: { text?: string; blob?: string } }[];
  structuredContent?: Record<string, unknown>;
}

/**
 * The API's answer: `structuredContent` without `_response`, where the members that did not fit the listed schema stand
 * in `_response.drifted` and are put back here. A list is below `result`.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any JSON
export function answerIn(result: ToolResult): any;

/** A header of the API's response, which both halves of a result have to hold; undefined where one of them lacks it. */
export function headerIn(result: ToolResult, name: string): string | undefined;

/** All text of a result, also of its files. */
export function textOf(result: ToolResult): string;

/** The bytes of a result that is a file. */
export function bytesIn(result: ToolResult): Buffer;
