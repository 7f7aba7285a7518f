/** Reads results as a caller would who wants the API's whole answer. */

/**
 * The API's answer: `structuredContent` without `_response`, where the members that did not fit the listed schema stand
 * in `_response.drifted` and are put back here. A list is below `result`.
 * @param {{ structuredContent?: Record<string, any> }} result
 * @returns {any}
 */
export function answerIn({ structuredContent }) {
  const { _response, ...answer } = structuredClone(structuredContent);
  return Object.entries(_response?.drifted ?? {}).reduce(putBack, answer);
}

function putBack(answer, [pointer, value]) {
  if (pointer === '') return isObject(value) ? value : { result: value };
  const names = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  let place = answer;
  for (const name of names.slice(0, -1)) place = place[name] ??= {};
  place[names.at(-1)] = value;
  return answer;
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A header of the API's response, which both halves of a result have to hold.
 * @param {{ content: { text?: string }[], structuredContent?: Record<string, any> }} result
 * @param {string} name
 * @returns {string | undefined} undefined where one half lacks it
 */
export function headerIn(result, name) {
  const headers = Object.entries(result.structuredContent?._response?.headers ?? {});
  const [, value] = headers.find(([key]) => key.toLowerCase() === name.toLowerCase()) ?? [];
  return value !== undefined && textOf(result).includes(value) ? value : undefined;
}

/**
 * All text of a result, also of its files.
 * @param {{ content: { text?: string, resource?: { text?: string } }[] }} result
 */
export function textOf({ content }) {
  return content.map(({ text, resource }) => text ?? resource?.text ?? '').join('\n');
}

/**
 * The bytes of a result that is a file.
 * @param {{ content: { resource?: { blob?: string } }[] }} result
 * @returns {Buffer}
 */
export function bytesIn({ content }) {
  return Buffer.from(content.find(({ resource }) => resource?.blob).resource.blob, 'base64');
}
