/** Names from a document as parts of environment variables: `my-Scheme1` is `MY_SCHEME1`; camelCase is not split. */
export function environmentName(text: string): string {
  return text.replace(/[^A-Za-z0-9]/g, '_').toUpperCase();
}

/** The variable of the environment that gives a variable of a server's URL its value. */
export function serverVariable(name: string): string {
  return `API_SERVER_${environmentName(name)}`;
}
