/** Shows a request to the project's hooks, and takes back what they made of it. */
import type { BeforeRequest, OutgoingRequest } from '../definition.ts';
import { isStreamed, type WireRequest } from './wire-request.ts';

/** A copy: changing it changes nothing. */
export function hookRequest(wire: WireRequest, tool?: string): OutgoingRequest {
  const url = new URL(wire.target, wire.url.origin);
  return {
    ...(tool === undefined ? {} : { tool }),
    method: wire.method,
    url,
    headers: wire.headers.toHeaders(),
    ...(wire.body === undefined || isStreamed(wire.body) ? {} : { body: wire.body }),
  };
}

/** Runs the hook and writes its changes into the request. Returns whether it changed anything. */
export async function applyHook(wire: WireRequest, hook: BeforeRequest, tool?: string): Promise<boolean> {
  const request = hookRequest(wire, tool);
  const before = fingerprint(request);
  await hook(request);
  if (request.body !== undefined) wire.body = request.body;
  else if (!isStreamed(wire.body)) delete wire.body;
  if (fingerprint(request) === before) return false;
  // An untouched URL keeps its very bytes: `URL` respells some characters.
  if (request.url.href !== new URL(wire.target, wire.url.origin).href) {
    wire.url = request.url;
    wire.target = request.url.pathname + request.url.search;
  }
  wire.method = request.method;
  wire.headers.replaceFrom(request.headers);
  return true;
}

function fingerprint({ method, url, headers }: OutgoingRequest): string {
  return JSON.stringify([method, url.href, [...headers]]);
}
