/** The APIs behind a server: one as a rule, several where it was compiled from several documents. */
import type { Bindings, HttpBinding, UpstreamBinding } from '../bindings.ts';

type Upstreams = Pick<Bindings, 'upstream' | 'upstreams'>;

/** In the order of the documents. */
export function apisOf({ upstream, upstreams = [] }: Upstreams): UpstreamBinding[] {
  return upstream === undefined ? upstreams : [upstream];
}

/** The one that a binding calls. */
export function apiOf(bindings: Upstreams, { api }: Pick<HttpBinding, 'api'>): UpstreamBinding {
  const found = apisOf(bindings).find(({ name }) => name === api);
  return found ?? { servers: [], securitySchemes: {}, ...(api === undefined ? {} : { name: api }) };
}
