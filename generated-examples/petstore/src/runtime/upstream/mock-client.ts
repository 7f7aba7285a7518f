/** Answers in the API's place, for `--mock` alone: requests are made, and go nowhere. */
import type { HttpBinding, UpstreamBinding } from '../contract/bindings.ts';
import type { ListedAnswer } from '../feature-loaders.ts';
import type { Mock } from '../mock.ts';
import type { WireAnswer } from './send-request.ts';
import { mockAnswer } from './mock-answer.ts';
import { serverUrl } from './server-url.ts';
import type { UpstreamSettings } from './settings.ts';
import { createUpstreamClient, type UpstreamClient } from './upstream-client.ts';

/** Stands for the API where its address is not known: no host has this name (RFC 2606). */
const NOWHERE = 'http://mock.invalid';

/**
 * A client whose requests are answered from `mock`: arguments fail as they would, hooks run, and answers are read and
 * limited like those of the API. No credentials are read.
 *
 * @param listed what the tool that an operation is listed as says of its answers; undefined where it says nothing
 */
export function createMockClient(
  api: UpstreamBinding,
  settings: UpstreamSettings,
  mock: Mock,
  listed: (tool: string) => ListedAnswer | undefined,
): UpstreamClient {
  const known = new Map<string, WireAnswer>();
  const answer: NonNullable<UpstreamSettings['answer']> = ({ method }, binding, tool) => {
    const operation = `${binding.method} ${binding.path}`;
    const made =
      known.get(operation) ??
      mockAnswer(mock, operation, binding, tool === undefined ? undefined : listed(tool), settings.limits);
    known.set(operation, made);
    return method === 'HEAD' ? { ...made, body: Buffer.alloc(0) } : made;
  };
  const placed = createUpstreamClient(api, { ...settings, answer });
  const { name } = api;
  const nowhere = createUpstreamClient(
    { servers: [], securitySchemes: {}, ...(name === undefined ? {} : { name }) },
    { ...settings, baseUrl: NOWHERE, answer },
  );
  return {
    call(binding, args, options) {
      const { servers, ...rest } = { ...binding, security: [] };
      const isPlaced = hasPlace(api, binding, settings);
      const own = isPlaced && servers !== undefined ? { ...rest, servers } : rest;
      return (isPlaced ? placed : nowhere).call(own, args, options);
    },
  };
}

/** Whether everything is set that the API's address takes. */
function hasPlace(api: UpstreamBinding, binding: HttpBinding, settings: UpstreamSettings): boolean {
  try {
    serverUrl(api, binding, settings);
    return true;
  } catch {
    return false;
  }
}
