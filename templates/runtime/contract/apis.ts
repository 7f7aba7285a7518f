// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The APIs behind a server: one as a rule, several where it was compiled from several documents. */
import type { Bindings, HttpBinding, UpstreamBinding } from './bindings.ts';

type Upstreams = Pick<Bindings, 'upstream' | 'upstreams'>;

/** In the order of the documents. */
export function apisOf({ upstream, upstreams = [] }: Upstreams): UpstreamBinding[] {
  return upstream === undefined ? upstreams : [upstream];
}

/** The API that a binding calls. */
export function apiOf(bindings: Upstreams, { api }: Pick<HttpBinding, 'api'>): UpstreamBinding {
  const found = apisOf(bindings).find(({ name }) => name === api);
  return found ?? { servers: [], securitySchemes: {}, ...(api === undefined ? {} : { name: api }) };
}

/** Names from a document as parts of environment variables: `my-Scheme1` is `MY_SCHEME1`; camelCase is not split. */
export function environmentName(text: string): string {
  return text.replace(/[^A-Za-z0-9]/g, '_').toUpperCase();
}

/** The environment variable of an API; one of several APIs has its name in it: `API_BASE_URL_<NAME>`. `end` is its last part. */
export function apiVariable(variable: 'API_BASE_URL' | 'API_SERVER', api?: string, end?: string): string {
  return [variable, api, end].filter((part) => part !== undefined).join('_');
}

/** The variable of the environment that gives a variable of a server's URL its value. */
export function serverVariable(name: string, api?: string): string {
  return apiVariable('API_SERVER', api, environmentName(name));
}
