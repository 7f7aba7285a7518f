// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Settings of the project and its environment for calls of the API. */
import type { HttpBinding } from '../contract/bindings.ts';
import type { AfterResponse, BeforeRequest } from '../definition.ts';
import type { UpstreamLimits } from '../upstream-limits.ts';
import type { UpstreamFeatures } from './upstream-features.ts';
import type { WireAnswer } from './send-request.ts';
import type { WireRequest } from './wire-request.ts';

export interface UpstreamSettings {
  /** `--base-url`: replaces the document's root server, path included. */
  baseUrl?: string;
  /** The base URL chosen when compiling; weaker than `baseUrl` and than `API_BASE_URL`. */
  defaultBaseUrl?: string;
  /** `API_BASE_URL` and the variables named by the security schemes are read at each call. */
  env: Readonly<Record<string, string | undefined>>;
  limits: UpstreamLimits;
  /** The folder whose files may be sent, and where answers of many bytes are saved, `--files`. Absent: none is. */
  filesRoot?: string;
  /** Default none. */
  features?: UpstreamFeatures | undefined;
  /** Sent as `User-Agent`, which some APIs demand. Default `mcp-server`. */
  userAgent?: string;
  beforeRequest?: BeforeRequest;
  afterResponse?: AfterResponse;
  /** Answers in the API's place, so that nothing is sent: `--mock`. */
  answer?: (wire: WireRequest, binding: HttpBinding, tool: string | undefined) => WireAnswer;
}
