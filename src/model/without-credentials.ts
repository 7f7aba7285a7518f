/** A URL without its user and password, which are nobody else's to read; what is no URL stays as it is. */
export function withoutCredentials(source: string): string {
  if (!/^https?:\/\//i.test(source) || !URL.canParse(source)) return source;
  const url = new URL(source);
  if (url.username === '' && url.password === '') return source;
  url.username = '';
  url.password = '';
  return url.href;
}
