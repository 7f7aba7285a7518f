/** Why a connection failed, in words. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refuses connections',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host cannot be resolved now',
  ECONNRESET: 'it closed the connection',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'it does not answer in time',
  TimeoutError: 'it does not answer in time',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself; NODE_EXTRA_CA_CERTS can name it',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate cannot be verified; NODE_EXTRA_CA_CERTS can name its authority',
};

export function explainFailure(error: unknown): string {
  const all = [error, error instanceof Error ? error.cause : undefined];
  const codes = all.flatMap((cause) =>
    cause instanceof Error ? [cause.name, 'code' in cause ? String(cause.code) : ''] : [],
  );
  const reason = codes.map((code) => ownMember(REASONS, code)).find((text) => text !== undefined);
  return reason ?? `it cannot be used (${codes.filter((code) => code !== '').at(-1) ?? 'unknown'})`;
}
import { ownMember } from '../../templates/runtime/json-rpc.ts';
