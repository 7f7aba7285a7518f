/** Reads results as a caller would who wants the API's whole answer. */

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

export function textOf({ content }) {
  return content.map(({ text, resource }) => text ?? resource?.text ?? '').join('\n');
}

export function bytesIn({ content }) {
  return Buffer.from(content.find(({ resource }) => resource?.blob).resource.blob, 'base64');
}
