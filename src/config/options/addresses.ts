/** Addresses that a configuration or a command line names. Each function says what is wrong with one; `undefined` when nothing is. */

export function baseUrlProblem(url: string): string | undefined {
  return /^https?:\/\//i.test(url) && URL.canParse(url)
    ? undefined
    : 'it must be an http or https URL, such as https://api.example.com/v1';
}

/**
 * An origin as `URL` spells it, or one of a lock that variables of a server's URL are in: `https://{region}.example.com`.
 */
export function originProblem(origin: string): string | undefined {
  const isTemplate = /^(?:https?:\/\/)?[\w.:{}[\]%-]*\{[\w.:{}[\]%-]*$/.test(origin);
  const isOrigin = /^https?:\/\//.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin;
  return isTemplate || isOrigin ? undefined : `it must be only an origin, such as ${exampleOrigin(origin)}`;
}

/** What was meant, where that can be told. */
function exampleOrigin(text: string): string {
  const isUrl = /^https?:\/\//i.test(text) && URL.canParse(text);
  return isUrl ? new URL(text).origin : 'https://api.example.com';
}

/** With or without port; of a whole URL the host counts. */
export function hostProblem(name: string): string | undefined {
  return name !== '' &&
    !/[\s,]/.test(name) &&
    URL.canParse(/^https?:\/\//i.test(name) ? name : `http://${name}`)
    ? undefined
    : 'it must be only a host, such as schemas.example.com';
}
