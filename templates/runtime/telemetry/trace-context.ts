// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** W3C Trace Context and Baggage: what a request says, in `_meta` (SEP-414) or in headers. */
import { isRecord } from '../contract/json-value.ts';
import type { RequestContext } from '../core/call.ts';
import type { Params } from '../protocol/json-rpc.ts';

export interface ParentTrace {
  traceId: string;
  spanId: string;
  isSampled: boolean;
  state: string | undefined;
}

export interface GivenContext {
  /** Undefined if the request belongs to no trace, or what it says can't be read. */
  parent: ParentTrace | undefined;
  baggage: string | undefined;
}

/** `_meta` wins: it belongs to the message, headers may be those of a proxy. */
export function parseTraceContext(
  { _meta: meta }: Params,
  { passedHeaders = [] }: Pick<RequestContext, 'passedHeaders'>,
): GivenContext {
  const own = isRecord(meta) ? meta : {};
  const findPassedHeader = (name: string): unknown => passedHeaders.find(([each]) => each === name)?.[1];
  const ofMeta = parseTraceparent(own['traceparent'], own['tracestate']);
  return {
    parent: ofMeta ?? parseTraceparent(findPassedHeader('traceparent'), findPassedHeader('tracestate')),
    baggage: parseBaggage(own['baggage']) ?? parseBaggage(findPassedHeader('baggage')),
  };
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NOTHING = /^0+$/;

/** Later versions may say more at the end (Trace Context, "Versioning of traceparent"). */
function parseTraceparent(text: unknown, state: unknown): ParentTrace | undefined {
  if (typeof text !== 'string') return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(text.trim()) ?? [];
  const isKnown = version !== undefined && version !== 'ff' && (version !== '00' || more === undefined);
  if (!isKnown || NOTHING.test(traceId) || NOTHING.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (parseInt(flags, 16) & 1) === 1, state: parseTracestate(state) };
}

export function writeTraceparent(
  { traceId, spanId }: Pick<ParentTrace, 'traceId' | 'spanId'>,
  isSampled: boolean,
) {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

const STATE_CHARACTERS = 512;
const STATE_MEMBERS = 32;
const STATE_MEMBER =
  /^[a-z0-9][a-z0-9_\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

function parseTracestate(text: unknown): string | undefined {
  return parseMemberList(text, STATE_CHARACTERS, STATE_MEMBERS, STATE_MEMBER);
}

const BAGGAGE_CHARACTERS = 8_192;
const BAGGAGE_MEMBERS = 64;
const BAGGAGE_MEMBER = /^[\w!#$%&'*+\-.^`|~]+[ \t]*=[\x20\x21\x23-\x2b\x2d-\x5b\x5d-\x7e\t]*$/;

function parseBaggage(text: unknown): string | undefined {
  return parseMemberList(text, BAGGAGE_CHARACTERS, BAGGAGE_MEMBERS, BAGGAGE_MEMBER);
}

/** A list that is not as its specification has it is left out whole. */
function parseMemberList(text: unknown, longest: number, most: number, form: RegExp): string | undefined {
  if (typeof text !== 'string' || text.length > longest) return undefined;
  const members = text
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '');
  const isGood = members.length > 0 && members.length <= most && members.every((member) => form.test(member));
  return isGood ? members.join(',') : undefined;
}
