/** Names of the variables of a server's APIs. */

/** `my-Scheme1` is `MY_SCHEME1`; camelCase is not split. */
export function toVariableName(text: string): string {
  return text.replace(/[^A-Za-z0-9]/g, '_').toUpperCase();
}

export function apiVariableName(
  variable: 'API_BASE_URL' | 'API_SERVER' | 'API_HEADERS',
  api?: string,
  end?: string,
): string {
  return [variable, api, end].filter((part) => part !== undefined).join('_');
}

export function serverChoiceVariableName(name: string, api?: string): string {
  return apiVariableName('API_SERVER', api, toVariableName(name));
}
