// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Downloads that an API keeps elsewhere: a GET is followed to another public origin. No API sends this server into its own network or to a metadata service. */
import type { Agent } from 'node:http';
import { isIP } from 'node:net';
import type { Feature } from '../feature.ts';
import type { ApiRequest } from '../request.ts';
import type { ApiResponse } from '../send.ts';
import { ToolError } from '../types.ts';
import { isPublicAddress, openGuardedAgent } from './public-address.ts';

export { isPublicAddress } from './public-address.ts';

const REDIRECTS = 5;
/** Any other header may hold a credential. */
const HARMLESS = ['accept', 'accept-encoding'];

/** @param allows says whether an address may be connected to */
export function redirects({
  allows = isPublicAddress,
}: { allows?: (address: string) => boolean } = {}): Feature {
  const agents = new Map<string, Agent>();
  // Connections that are checked are not shared with others.
  const openAgent = async (protocol: string): Promise<Agent> => {
    const agent = agents.get(protocol) ?? (await openGuardedAgent(protocol, allows, refusal));
    agents.set(protocol, agent);
    return agent;
  };
  const follow = async (
    first: ApiRequest,
    request: ApiRequest,
    { status, headers }: ApiResponse,
  ): Promise<ApiRequest | undefined> => {
    const { method, url } = request;
    const { location = '' } = headers;
    const isRedirect = [301, 302, 303, 307, 308].includes(status) && URL.canParse(location, url.href);
    if (!isRedirect || !/^(?:GET|HEAD)$/.test(method)) return undefined;
    const target = new URL(location, url);
    // Within the first origin the core follows.
    if ((target.origin === url.origin && request === first) || !/^https?:$/.test(target.protocol))
      return undefined;
    const host = target.hostname.replace(/^\[(.*)\]$/, '$1');
    // `lookup` is not asked for an address.
    if (isIP(host) !== 0 && !allows(host)) return undefined;
    const harmless = new Map([...request.headers].filter(([name]) => HARMLESS.includes(name)));
    const agent = await openAgent(target.protocol);
    return { ...request, url: target, template: undefined, headers: harmless, body: undefined, agent };
  };
  return {
    name: 'redirects',
    aroundSend: async (_, first, next) => {
      let request = first;
      for (let count = 0; ; count++) {
        const answer = await next(request);
        const following = await follow(first, request, answer);
        if (following === undefined) {
          // The core would take it for an answer of the first origin, and follow it there with all credentials.
          if (request !== first) delete answer.headers['location'];
          return answer;
        }
        if (count >= REDIRECTS) throw new ToolError(`The API redirected more than ${REDIRECTS} times.`);
        request = following;
      }
    },
  };
}

function refusal(host: string): ToolError {
  return new ToolError(
    `The API redirected to ${host}, which is not public, so that was not followed. Check API_BASE_URL.`,
  );
}
