/** Verdicts of judges on a request, read from the headers of their answers. */

/** @type {typeof import('./verdicts.d.mts').steadyFault} */
export function steadyFault({ status, answerHeaders, answerText }) {
  if (answerHeaders['x-steady-request-valid'] === 'true') return undefined;
  const count = Number(answerHeaders['x-steady-error-count'] ?? 0);
  const faults = Array.from({ length: count }, (_, at) =>
    ['code', 'path', 'message'].map((part) => answerHeaders[`x-steady-error-${at + 1}-${part}`]).join(' '),
  );
  return faults.join('; ') || `${status} without a verdict: ${answerText.slice(0, 200)}`;
}

/** @type {typeof import('./verdicts.d.mts').prismFault} */
export function prismFault({ status, answerHeaders, answerText }) {
  const header = answerHeaders['sl-violations'];
  if (header?.startsWith('Too many')) return header.includes(ofRequest) ? header : undefined;
  if (header !== undefined) return violationsOfRequest(JSON.parse(header));
  return /stoplight\.io\/prism\/errors#/.test(answerText)
    ? `${status} ${answerText.slice(0, 300)}`
    : undefined;
}

/** How a violation of the request begins, also in a list that is cut where it is too long for a header. */
const ofRequest = '"location":["request"';

/** Prism's complaints about its own mocked answer are in the same header. */
function violationsOfRequest(violations) {
  const ours = violations.filter(({ location }) => location[0] === 'request');
  const words = ours.map(({ location, code, message }) => [location.join('.'), code, message].join(' '));
  return words.length === 0 ? undefined : words.join('; ');
}
