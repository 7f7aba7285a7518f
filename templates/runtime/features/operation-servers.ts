// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Operations that have servers of their own (OpenAPI, Path Item Object and Operation Object, `servers`). */
import type { ChangeSetup } from '../call-api.ts';
import type { Feature } from '../feature.ts';
import { ownMember } from '../json-rpc.ts';
import { type ApiSetup, apiVariable, chooseServer, fillVariables } from '../request.ts';
import type { ApiBinding, ApiServer, Env } from '../types.ts';

declare module '../types.ts' {
  interface HttpBinding {
    servers?: ApiServer[];
  }
  interface ApiBinding {
    /** Servers of operations at hosts that no server of the API has. */
    otherServers?: ApiServer[];
  }
}

export function operationServers(): Feature {
  return { name: 'operation-servers', parts: { setups: { servers: changeSetup } } };
}

/**
 * Requests of the operation have its address. Headers of the configuration and API_HEADERS are for the API's own servers: another
 * host has `API_HEADERS_<HOST>`, and may have credentials of its own.
 */
const changeSetup: ChangeSetup = (setup, { servers }) => {
  const { api, env } = setup;
  const server = servers?.[0];
  if (server === undefined) return setup;
  const host = hostOf(server);
  const baseUrl = chooseAddress(setup, server, host).href;
  const headers = apiVariable(api, 'API_HEADERS');
  const isOfApi = api.servers.some((one) => hostOf(one) === host);
  const goesToApi = attempt(() => chooseServer(setup))?.origin === new URL(baseUrl).origin;
  return {
    ...setup,
    baseUrl,
    api: goesToApi ? api : { ...api, headers: {} },
    env: {
      ...env,
      ...(host !== undefined && credentialsAt(host, api, env)),
      [headers]:
        goesToApi || isOfApi || host === undefined
          ? env[headers]
          : env[apiVariable(api, 'API_HEADERS', host)],
    },
  };
};

/** A base URL of the operator stands for every server (ADR 10); one at the API's own origin keeps its path at the new address. */
function chooseAddress(setup: ApiSetup, server: ApiServer, host: string | undefined): URL {
  const { api, env } = setup;
  const moved = host && env[apiVariable(api, 'API_BASE_URL', host)];
  if (moved) return chooseServer({ ...setup, baseUrl: moved });
  const base = apiVariable(api, 'API_BASE_URL');
  const override = setup.baseUrl || env[base];
  const described = { api, env: { ...env, [base]: undefined } };
  const root = attempt(() => chooseServer(described));
  const url = fillVariables(server, setup);
  if (!URL.canParse(url)) {
    const around = override ? chooseServer(setup) : root;
    if (around !== undefined && URL.canParse(url, around.href)) {
      const resolved = new URL(url, around);
      // `//other.example/v2` names a host.
      return override && resolved.origin !== around.origin ? around : resolved;
    }
  }
  const own = chooseServer({ api: { ...api, servers: [{ url }] }, env: described.env });
  const target = override ? chooseServer(setup) : undefined;
  // A base URL that equals the document's changes nothing.
  if (target === undefined || target.href === root?.href) return own;
  const keepsPath = root !== undefined && root.href !== own.href && root.origin === own.origin;
  if (keepsPath) [target.pathname, target.search] = [own.pathname, own.search];
  return target;
}

/** The document's defaults make it, so that the environment can't change which variables are read. */
export function hostOf({ url, variables }: ApiServer): string | undefined {
  const filled = url.replace(
    /\{([^{}]+)\}/g,
    (open, name: string) => ownMember(variables, name)?.default ?? open,
  );
  // Digits of a port are complete, so a variable behind them begins the path.
  const text = filled.replace(/(:\d+)(?=\{)/, '$1/').replace(/\{([^{}]+)\}/g, '$1');
  return /^https?:/i.test(text) && URL.canParse(text) ? new URL(text).host : undefined;
}

/** All of a scheme come from one place, so that no user name meets another's password. */
function credentialsAt(host: string, { securitySchemes }: ApiBinding, env: Env): Env {
  const suffix = apiVariable({}, '', host);
  return Object.fromEntries(
    Object.values(securitySchemes).flatMap(({ env: variables = {} }) => {
      const names = Object.values(variables);
      return names.some((name) => env[name + suffix]) ? names.map((name) => [name, env[name + suffix]]) : [];
    }),
  );
}

/** Undefined where a variable of the server has no value: only requests that go there need it. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
