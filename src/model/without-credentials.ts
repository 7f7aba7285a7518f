/** A URL without its user and password, which are nobody else's to read; what is no URL stays as it is. */
export function withoutCredentials(source: string): string {
  if (!/^https?:\/\//i.test(source) || !URL.canParse(source)) return source;
  const url = new URL(source);
  if (url.username === '' && url.password === '') return source;
  url.username = '';
  url.password = '';
  return url.href;
}

/**
 * A URL as messages, headings and labels name it: without user, password, query and fragment, any of which may hold a secret.
 * What has no scheme stays as it is.
 */
export function shownUrl(source: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(source)) return source;
  const [place = source] = source.split(/[?#]/, 1);
  return place.replace(/^([^/]*\/\/)[^/]*@/, '$1');
}
