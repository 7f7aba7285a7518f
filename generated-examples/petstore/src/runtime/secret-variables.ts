/** What the environment keeps secret, by the names of its variables. */

/** Those of the project's own code too. */
const SECRET_VARIABLE = /(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSPHRASE|AUTHORIZATION|CREDENTIALS?)(?:_|$)/i;

/** The values of all that are named so. */
export function secretsOf(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value = '']) => (SECRET_VARIABLE.test(name) ? [value] : []));
}
