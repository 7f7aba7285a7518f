export function baseUrlProblem(url: string): string | undefined {
  return /^https?:\/\//i.test(url) && URL.canParse(url)
    ? undefined
    : 'it must be an http or https URL, such as https://api.example.com/v1';
}

/** Accepts an origin as `URL` formats it, or one of a lock with variables of a server's URL: `https://{region}.example.com`. */
export function originProblem(origin: string): string | undefined {
  const isTemplate = /^(?:https?:\/\/)?[\w.:{}[\]%-]*\{[\w.:{}[\]%-]*$/.test(origin);
  const isOrigin = /^https?:\/\//.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin;
  if (isTemplate || isOrigin) return undefined;
  const isUrl = /^https?:\/\//i.test(origin) && URL.canParse(origin);
  return `it must be only an origin, such as ${isUrl ? new URL(origin).origin : 'https://api.example.com'}`;
}

/** Accepts a host with or without port, and a URL for its host. */
export function hostProblem(name: string): string | undefined {
  return name !== '' &&
    !/[\s,]/.test(name) &&
    URL.canParse(/^https?:\/\//i.test(name) ? name : `http://${name}`)
    ? undefined
    : 'it must be only a host, such as schemas.example.com';
}
