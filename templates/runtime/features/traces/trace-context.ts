// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** W3C Trace Context, as a request has them in `_meta` (SEP-414) or in headers. */
import type { Params } from '../../json-rpc.ts';
import { isRecord } from '../../json-rpc.ts';
import type { Exchange } from '../../session.ts';

export interface Trace {
  traceId: string;
  spanId: string;
  isSampled: boolean;
  state: string | undefined;
}

/** `_meta` wins: it belongs to the message, and headers may be those of a proxy. */
export function readTraceContext({ _meta }: Params, { request }: Exchange) {
  const headers = request?.headers ?? {};
  const meta = isRecord(_meta) ? _meta : {};
  return (
    readTraceparent(meta['traceparent'], meta['tracestate']) ??
    readTraceparent(headers['traceparent'], headers['tracestate'])
  );
}

/** Later versions may have more at the end (Trace Context, "Versioning of traceparent"). */
function readTraceparent(text: unknown, state: unknown): Trace | undefined {
  const form =
    /^(?!ff)(?:00(?=-.{52}$)|(?!00)[\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-.*)?$/;
  const [, traceId, spanId = '', flags = ''] = form.exec(typeof text === 'string' ? text.trim() : '') ?? [];
  if (traceId === undefined) return undefined;
  return { traceId, spanId, isSampled: (parseInt(flags, 16) & 1) === 1, state: readState(state) };
}

export function writeTraceparent({ traceId, spanId, isSampled }: Trace): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

/** A list that breaks its specification is left out whole. */
function readState(text: unknown): string | undefined {
  const isValid = typeof text === 'string' && /^(?=.{1,512}$)[\w\-*/@]+=[\x20-\x7e]+$/.test(text);
  return isValid ? text : undefined;
}
