const KINDS = ['tag', 'path', 'op', 'method'];

export function selectorProblem(selector: string): string | undefined {
  const colon = selector.indexOf(':');
  const kind = selector.slice(0, Math.max(0, colon));
  if (!KINDS.includes(kind)) return 'a selector starts with tag:, path:, op: or method:';
  return selector.slice(colon + 1).trim() === '' ? `${kind}: needs something to match` : undefined;
}

/** Checks `<selector>=<media type>`. */
export function bodyMediaTypeProblem(text: string): string | undefined {
  const [selector = '', mediaType = ''] = text.split(/=(.*)/s);
  if (!/^[^\s/]+\/[^\s/]/.test(mediaType.trim())) return 'it needs a selector, `=` and a media type';
  return selectorProblem(selector);
}
