// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** W3C Trace Context and Baggage, as a request has them in `_meta` (SEP-414) or in headers. */
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
  return {
    parent:
      readTraceparent(meta['traceparent'], meta['tracestate']) ??
      readTraceparent(headers['traceparent'], headers['tracestate']),
    baggage: readList(meta['baggage'], BAGGAGE) ?? readList(headers['baggage'], BAGGAGE),
  };
}

/** Later versions may have more at the end (Trace Context, "Versioning of traceparent"). */
function readTraceparent(text: unknown, state: unknown): Trace | undefined {
  const form =
    /^(?!ff)(?:00(?=-.{52}$)|(?!00)[\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-.*)?$/;
  const [, traceId, spanId = '', flags = ''] = form.exec(typeof text === 'string' ? text.trim() : '') ?? [];
  if (traceId === undefined) return undefined;
  return { traceId, spanId, isSampled: (parseInt(flags, 16) & 1) === 1, state: readList(state, STATE) };
}

export function writeTraceparent({ traceId, spanId, isSampled }: Trace): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

interface ListForm {
  characters: number;
  members: number;
  member: RegExp;
}
const STATE: ListForm = {
  characters: 512,
  members: 32,
  member: /^[a-z0-9][a-z0-9_\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/,
};
const BAGGAGE: ListForm = {
  characters: 8_192,
  members: 64,
  member: /^[\w!#$%&'*+\-.^`|~]+[ \t]*=[\x20\x21\x23-\x2b\x2d-\x5b\x5d-\x7e\t]*$/,
};

/** A list that breaks its specification is left out whole. */
function readList(text: unknown, { characters, members, member }: ListForm): string | undefined {
  if (typeof text !== 'string' || text.length > characters) return undefined;
  const list = text.split(',').flatMap((part) => part.trim() || []);
  const isValid = list.length > 0 && list.length <= members && list.every((part) => member.test(part));
  return isValid ? list.join(',') : undefined;
}
