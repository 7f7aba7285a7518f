// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The feature `api` as the rest of the runtime sees it. Types only, so that a project type-checks without it. */
import type { Bindings, HttpBinding } from './contract/bindings.ts';
import type { Call } from './core/call.ts';
import type { ServerInstance } from './core/server-instance.ts';
import type { EnvironmentVariable } from './contract/environment-variable.ts';
import type { LooseResult, ResourceContents } from './protocol/content.ts';

/** Requests to APIs as the work that is bound to them. */
export interface BoundUpstream {
  /** Failures of the API, and of the project's hooks, are results. */
  tool(call: Call, request: BoundRequest): Promise<LooseResult>;
  /** @throws {ProtocolError} where there is no such resource, or it cannot be read */
  resource(call: Call, uri: string, request: BoundRequest): Promise<ResourceContents[]>;
}

export interface BoundRequest {
  binding: HttpBinding;
  args: Record<string, unknown>;
  /** The tool whose work it is; undefined for a resource that is no tool's. */
  tool: string | undefined;
}

/** Describes the settings of APIs to the operator of the server. */
export interface ApiSettings {
  /** The environment variables of every API. */
  apiVariables: (bindings: Pick<Bindings, 'upstream' | 'upstreams'>) => EnvironmentVariable[];
  /** Variables that set the base URL of each API. */
  baseUrlVariables: (bindings: Pick<Bindings, 'upstream' | 'upstreams'>) => string[];
  /** A sentence or two for each reason why tools cannot be called with these settings. */
  missing: (server: ServerInstance, bindings: Bindings, isListed: (tool: string) => boolean) => string[];
}
