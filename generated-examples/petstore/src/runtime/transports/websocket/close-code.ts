/** Why a connection closes (RFC 6455, section 7.4, and the IANA registry that continues it). */
export const NORMAL_CLOSURE = 1000;
export const GOING_AWAY = 1001;
export const PROTOCOL_ERROR = 1002;
export const UNSUPPORTED_DATA = 1003;
/** Stands for a Close frame without a code. Never sent. */
export const NO_STATUS_RECEIVED = 1005;
/** Stands for the lack of a Close frame. Never sent. */
export const ABNORMAL_CLOSURE = 1006;
export const INVALID_PAYLOAD_DATA = 1007;
export const POLICY_VIOLATION = 1008;
export const MESSAGE_TOO_BIG = 1009;
export const INTERNAL_ERROR = 1011;
export const TRY_AGAIN_LATER = 1013;

/** Whether a Close frame may carry this code: those of the protocol, of libraries and of applications. */
export function isCloseCode(code: number): boolean {
  return Number.isInteger(code) && (isProtocolCode(code) || (code >= 3000 && code <= 4999));
}

/** 1004 is reserved; 1005, 1006 and 1015 are only for telling, not for sending. */
function isProtocolCode(code: number): boolean {
  return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014);
}
