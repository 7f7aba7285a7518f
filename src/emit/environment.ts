import type { SecuritySchemeBinding, ServerBinding } from '../../templates/runtime/bindings.ts';
import type { ServerModel } from '../model/server-model.ts';

/** An environment variable the emitted server reads. */
export interface EnvironmentVariable {
  name: string;
  description: string;
  secret: boolean;
  /** The server is of no use without it. */
  required: boolean;
  default?: string;
}

/** The variables of the API behind the server, in the order people fill them in. */
export function upstreamVariables({ upstream }: ServerModel): EnvironmentVariable[] {
  if (upstream === undefined) return [];
  const schemes = Object.entries(upstream.securitySchemes);
  const variables = [
    baseUrl(upstream.servers),
    ...schemes.flatMap(([name, scheme]) => schemeVariables(name, scheme)),
  ];
  // Two schemes may share a variable when their names differ in punctuation alone.
  return [...new Map(variables.map((variable) => [variable.name, variable])).values()];
}

export const portVariable: EnvironmentVariable = {
  name: 'PORT',
  description: 'Port of the HTTP transport.',
  secret: false,
  required: false,
  default: '3000',
};

function baseUrl([server]: ServerBinding[]): EnvironmentVariable {
  const url = server === undefined ? '' : fillServerUrl(server);
  const known = /^https?:\/\//i.test(url);
  return {
    name: 'API_BASE_URL',
    description: 'Base URL of the API; replaces the one of the document, path included.',
    secret: false,
    required: !known,
    ...(known ? { default: url } : {}),
  };
}

function fillServerUrl({ url, variables = {} }: ServerBinding): string {
  return url.replace(/\{([^{}]*)\}/g, (whole, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name]?.default ?? whole) : whole,
  );
}

function schemeVariables(name: string, scheme: SecuritySchemeBinding): EnvironmentVariable[] {
  const variable = (env: string, description: string, secret: boolean): EnvironmentVariable => ({
    name: env,
    description,
    secret,
    required: false,
  });
  switch (scheme.type) {
    case 'apiKey':
      return [variable(scheme.env.key, `API key of ${name}, sent as ${scheme.in} ${scheme.name}.`, true)];
    case 'basic':
      return [
        variable(scheme.env.username, `User name of ${name}.`, false),
        variable(scheme.env.password, `Password of ${name}.`, true),
      ];
    case 'bearer':
      return [variable(scheme.env.token, `Bearer token of ${name}.`, true)];
    case 'oauth2':
      return oauthVariables(name, scheme.env, scheme.tokenUrl !== undefined, variable);
    case 'unsupported':
      return [];
  }
}

function oauthVariables(
  name: string,
  env: { token: string; clientId: string; clientSecret: string; scopes: string },
  hasFlow: boolean,
  variable: (env: string, description: string, secret: boolean) => EnvironmentVariable,
): EnvironmentVariable[] {
  const token = variable(env.token, `Access token of ${name}.`, true);
  if (!hasFlow) return [token];
  return [
    variable(env.clientId, `OAuth client id of ${name}.`, false),
    variable(env.clientSecret, `OAuth client secret of ${name}.`, true),
    variable(env.scopes, `Scopes to ask for with ${name}, separated by spaces.`, false),
    token,
  ];
}
