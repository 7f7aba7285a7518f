import type { SecuritySchemeBinding } from '../../../templates/runtime/contract/bindings.ts';

/** Values for the variables of all schemes: what is sent for a scheme shows in the request. No token is fetched. */
export function testCredentials(
  schemes: Readonly<Record<string, SecuritySchemeBinding>>,
): Record<string, string> {
  const names = Object.values(schemes).flatMap(credentialVariables);
  return Object.fromEntries(names.map((name) => [name, `test-${name.toLowerCase().replaceAll('_', '-')}`]));
}

/** Those that what is sent is taken from as it stands. */
export function credentialVariables(scheme: SecuritySchemeBinding): string[] {
  switch (scheme.type) {
    case 'apiKey':
      return [scheme.env.key];
    case 'basic':
      return [scheme.env.username, scheme.env.password];
    case 'bearer':
    case 'oauth2':
      return [scheme.env.token];
    case 'http':
      return [scheme.env.authorization];
    // A certificate of a test would have to be a real one.
    case 'mutualTLS':
    case 'unsupported':
      return [];
  }
}
