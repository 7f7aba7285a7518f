/** Names from a document as parts of environment variables: `my-Scheme1` is `MY_SCHEME1`; camelCase is not split. */
export function environmentName(text: string): string {
  return text.replace(/[^A-Za-z0-9]/g, '_').toUpperCase();
}

/** A variable of an API: that of one of several has its name, `API_BASE_URL_<NAME>`. `end` says what it is about. */
export function apiVariable(variable: 'API_BASE_URL' | 'API_SERVER', api?: string, end?: string): string {
  return [variable, api, end].filter((part) => part !== undefined).join('_');
}

/** The variable of the environment that gives a variable of a server's URL its value. */
export function serverVariable(name: string, api?: string): string {
  return apiVariable('API_SERVER', api, environmentName(name));
}
