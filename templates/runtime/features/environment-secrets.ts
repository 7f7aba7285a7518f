// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Which values of the environment no log and no error may show. */
import type { Env } from '../types.ts';

const SECRET_VARIABLE = /(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSPHRASE|AUTHORIZATION|CREDENTIALS?)(?:_|$)/i;
const URL_PASSWORD = /^[a-z][a-z\d+.-]*:\/\/[^/?#:@]*:([^/?#]+)@/i;

/** The expression for a whole private key would take seconds to compile. */
const MAX_LINES = 3;
const MAX_LINE = 100;

/** Variables that are secret by their names, values of headers, and passwords in URLs. */
export function secretsOfEnvironment(env: Env): string[] {
  const values = Object.entries(env).flatMap(([name, value = '']) => {
    if (name.startsWith('API_HEADERS'))
      return Array.from(value.matchAll(/:[ \t]*(.*)/g), ([, header = '']) => header);
    return SECRET_VARIABLE.test(name)
      ? value.split('\n').slice(0, MAX_LINES)
      : (URL_PASSWORD.exec(value)?.[1] ?? []);
  });
  return values.map((value) => value.slice(0, MAX_LINE));
}
