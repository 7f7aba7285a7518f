/** Addresses that a configuration or a command line names. Each function says what is wrong with one; `undefined` when nothing is. */

export function baseUrlProblem(url: string): string | undefined {
  return /^https?:\/\//i.test(url) && URL.canParse(url)
    ? undefined
    : 'it must be an http or https URL, such as https://api.example.com/v1';
}

/** With or without port; of a whole URL the host counts. */
export function hostProblem(name: string): string | undefined {
  return name !== '' &&
    !/[\s,]/.test(name) &&
    URL.canParse(/^https?:\/\//i.test(name) ? name : `http://${name}`)
    ? undefined
    : 'it must be a host alone, such as schemas.example.com';
}
