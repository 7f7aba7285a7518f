// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Callers over HTTP need a token (OAuth 2.1): the server is a resource server, as MCP describes ("Authorization"). */
import type { Caller, Feature, MethodCall, Route } from '../../feature.ts';
import { INTERNAL_ERROR, RpcError } from '../../json-rpc.ts';
import type { Server } from '../../server.ts';
import { getSetting } from '../../settings.ts';
import { ToolError, UsageError } from '../../types.ts';
import { type AuthInfo, holdsToken, type VerifyToken } from './caller.ts';
import type { Guard, OpenBinding } from './guard.ts';
import { type ScopeOptions, Scopes } from './scopes.ts';
import { readAuthSettings, SETTINGS } from './settings.ts';

export { type AuthInfo, Unavailable, type VerifiedToken, type VerifyToken } from './caller.ts';

declare module '../../types.ts' {
  interface Context {
    /** The caller, over HTTP. */
    readonly auth?: AuthInfo;
  }
  // eslint-disable-next-line @typescript-eslint/no-unused-vars
  interface Handlers<Tools extends object = Record<string, Args>> {
    /** Checks tokens before this server does. */
    verifyToken?: VerifyToken;
  }
  interface ExtraTool {
    /** Scopes that a caller's token needs for it. */
    scopes?: readonly string[];
  }
  interface PromptDefinition {
    scopes?: readonly string[];
  }
  interface ResourceDefinition {
    scopes?: readonly string[];
  }
}

const MISSING = 'The package jose, which checks tokens, is not installed: run `npm install` in the project.';

/** @param now milliseconds since 1970 */
export function oauth(options: ScopeOptions = {}, now: () => number = Date.now): Feature {
  let guard: Guard | undefined;
  let scopes: Scopes | undefined;
  const routes: Route[] = [];
  /** @throws {RpcError} for a request over HTTP that nobody admitted */
  const callerOf = ({ server, exchange, session }: MethodCall): Caller | undefined => {
    const caller = exchange.caller ?? session.caller;
    if (caller === undefined && isHttp(server)) throw new RpcError(INTERNAL_ERROR, 'A token is needed.');
    return caller;
  };
  return {
    name: 'oauth',
    settings: SETTINGS,
    routes,
    start: async (server, _, env) => {
      // Whoever starts a process on stdio has its rights already.
      if (!isHttp(server)) return;
      const settings = readAuthSettings(env);
      // Calls on behalf of callers would silently use the server's own credentials.
      const isOnBehalf = Object.hasOwn(server.definition.handlers ?? {}, 'upstreamCredentials');
      if (isOnBehalf && server.features.every(({ name }) => name !== 'exchange'))
        throw new UsageError(
          'src/handlers/ has `upstreamCredentials`, and src/server.ts lacks the feature exchange. Run `npx mcpgen generate`.',
        );
      // Signatures are not checked for `--help` and over stdio.
      const load = Promise.all([import('./guard.ts'), import('../../http.ts')]);
      const [{ Guard: GuardOfServer }, { readHttpOptions }] = await load.catch((thrown: unknown) => {
        const isMissing = (thrown as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND';
        throw isMissing ? new UsageError(MISSING, { cause: thrown }) : thrown;
      });
      const others = server.features.flatMap((feature) => feature.routes ?? []);
      const paths = [readHttpOptions(server).path, ...others.map(({ path }) => path)];
      scopes = new Scopes(server, options);
      const [open] = server.features.flatMap(({ parts }) => Object.values(parts?.['tokens'] ?? {}));
      const binding = await (open as OpenBinding | undefined)?.(server);
      guard = new GuardOfServer(server, { settings, scopes, binding, paths, now });
      routes.push(...guard.routes);
    },
    admit: (exchange) => {
      if (guard !== undefined) return guard.admit(exchange);
      throw new RpcError(INTERNAL_ERROR, 'The server is starting.', { status: 503 });
    },
    aroundRequest: async (call, next) => {
      const caller = callerOf(call);
      if (caller === undefined || scopes === undefined) return next(call);
      const needs = scopes.ofRequest(call);
      try {
        caller.require?.(needs);
        // What comes of these is told on the stream of the session, also by a task that ends at once.
        const isHeard = call.method === 'resources/subscribe' || call.params['task'] !== undefined;
        if (isHeard) scopes.subscribe(call.session, needs);
        return await next({ ...call, needs });
      } catch (thrown) {
        throw thrown instanceof RpcError ? redactError(thrown, caller) : thrown;
      }
    },
    aroundCall: {
      // Code of the project calls others, too.
      admit: (call, next) => {
        callerOf(call.request)?.require?.(scopes?.ofItem(call.kind, call.name) ?? []);
        return next();
      },
    },
    aroundSend: (call, { url, headers, body = '' }, next) => {
      const { auth } = callerOf(call.request) ?? {};
      const texts = [url.href, ...[...headers].flat(), typeof body === 'string' ? body : Buffer.from(body)];
      if (auth !== undefined && texts.some((text) => holdsToken(text.toString(), auth)))
        throw new ToolError(
          "Nothing was sent: the request holds the caller's own token, which is for this server alone.",
        );
      return next();
    },
    catalog: {
      // Scopes of the user's own items are for this server.
      list: (_, items) =>
        items.map((item) => {
          if (!('scopes' in item)) return item;
          const { scopes: needs, ...listed } = item;
          void needs;
          return listed;
        }),
    },
    context: (call) => ({ auth: callerOf(call.request)?.auth }),
  };
}

function isHttp({ flags, env }: Server): boolean {
  return (getSetting(flags, env, 'transport', '').value ?? 'stdio') !== 'stdio';
}

/** A client may send its token anywhere, as the name of a tool, too. */
function redactError(error: RpcError, { redact = (text) => text }: Caller): RpcError {
  const { code, message, data, status, headers } = error;
  const text = JSON.stringify(data) as string | undefined;
  const isSafe = text === undefined || redact(text) === text;
  return new RpcError(code, redact(message), { status, headers, ...(isSafe && { data }) });
}
