/** What the rest of the runtime knows of the part that calls APIs, which only projects with one carry. Types only. */
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

/** What is told to the one who runs the server. */
export interface ApiSettings {
  /** The environment variables of every API. */
  apiVariables: (bindings: Pick<Bindings, 'upstream' | 'upstreams'>) => EnvironmentVariable[];
  /** Those that set the base URL of each. */
  baseUrlVariables: (bindings: Pick<Bindings, 'upstream' | 'upstreams'>) => string[];
  /** What keeps tools from being called as things stand: a sentence or two for each reason. */
  missing: (server: ServerInstance, bindings: Bindings, isListed: (tool: string) => boolean) => string[];
}
