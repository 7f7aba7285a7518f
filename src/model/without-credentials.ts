/** Removes user and password from a URL; other texts stay unchanged. */
export function removeCredentials(source: string): string {
  if (!/^https?:\/\//i.test(source) || !URL.canParse(source)) return source;
  const url = new URL(source);
  if (url.username === '' && url.password === '') return source;
  url.username = '';
  url.password = '';
  return url.href;
}

/**
 * A URL for messages, headings and labels: without user, password, query and fragment, which may hold secrets. Texts
 * without a scheme stay unchanged.
 */
export function removeSecretPartsOfUrl(source: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(source)) return source;
  const [place = source] = source.split(/[?#]/, 1);
  return place.replace(/^([^/]*\/\/)[^/]*@/, '$1');
}
