/** Variables that tools need, for the README's examples of a client's configuration. */
import { ownMember } from '../../templates/runtime/json-rpc.ts';
import {
  type HttpBinding,
  type SecurityRequirement,
  type UpstreamBinding,
  listApis,
} from '../model/bindings.ts';
import { listUpstreamVariables } from './api-variables.ts';
import { listSchemeVariables } from './scheme-variables.ts';
import { listHttpBindingsOfModel } from '../model/credential-origins.ts';
import { exampleBaseUrl } from '../model/base-url.ts';
import type { ServerModel } from '../model/server-model.ts';
import { serverChoiceVariableName } from '../model/variable-names.ts';

export interface NeededVariable {
  /** The name of the variable. */
  name: string;
  /** An example value without characters that a shell interprets. */
  placeholder: string;
}

/**
 * Lists the variables without which calls fail: an address that the document lacks, and credentials of the
 * first security requirement that variables can satisfy.
 */
export function listNeededVariables(model: ServerModel): NeededVariable[] {
  const all = listHttpBindingsOfModel(model);
  const variables = listApis(model).flatMap((upstream) => {
    const requests = all.filter(({ api }) => api === upstream.name);
    const { securitySchemes, security: general = [] } = upstream;
    const needed = new Set<string>();
    const isRequirementMet = (requirement: SecurityRequirement) =>
      Object.keys(requirement).every((name) => needed.has(name));
    const isSupportedScheme = (name: string) =>
      Object.hasOwn(securitySchemes, name) && securitySchemes[name]?.type !== 'unsupported';
    for (const { security = general } of requests) {
      if (security.length === 0 || security.some(isRequirementMet)) continue;
      const way = security.find((one) => Object.keys(one).every(isSupportedScheme)) ?? {};
      for (const name of Object.keys(way)) needed.add(name);
    }
    const schemes = [...needed];

    return [
      ...listAddressVariables(upstream, requests),
      ...schemes.flatMap((scheme) => {
        const binding = ownMember(upstream.securitySchemes, scheme);
        return (binding === undefined ? [] : listSchemeVariables(binding)).flatMap(({ name, placeholder }) =>
          placeholder === undefined ? [] : [{ name, placeholder }],
        );
      }),
    ];
  });
  return [...new Map(variables.map((variable) => [variable.name, variable])).values()];
}

function listAddressVariables(upstream: UpstreamBinding, requests: HttpBinding[]): NeededVariable[] {
  const baseUrl = listUpstreamVariables(upstream).find(({ required }) => required);
  if (baseUrl !== undefined) return [{ name: baseUrl.name, placeholder: exampleBaseUrl(upstream.servers) }];
  const used = requests.map(({ servers = upstream.servers }) => servers[0]);
  return [...new Set(used)].flatMap((server) =>
    Object.entries(server?.variables ?? {})
      .filter(([, variable]) => variable.default === undefined)
      .map(([name]) => ({
        name: serverChoiceVariableName(name, upstream.name),
        placeholder: 'your-value',
      })),
  );
}
