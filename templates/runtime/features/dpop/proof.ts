// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Checks a DPoP proof (RFC 9449, section 4.3), the cheap checks first: form, header, key, claims, and last the signature. */
import { hash } from 'node:crypto';
import { calculateJwkThumbprint, compactVerify, decodeJwt, decodeProtectedHeader, importJWK } from 'jose';
import type { JWK } from 'jose';
import { isRecord } from '../../json-rpc.ts';
import { isText, TokenRefusal } from '../oauth/token.ts';

/** Only the owner of a private key may sign a proof (RFC 9449, section 11.6). */
export const PROOF_ALGORITHMS: readonly string[] =
  'ES256 ES384 ES512 PS256 PS384 PS512 RS256 RS384 RS512 EdDSA Ed25519'.split(' ');
/** How far `iat` may be from the server's time, since clocks of clients differ. */
export const WINDOW_SECONDS = 300;
/** Enough for an RSA key of 8,192 bits. */
const MAX_CHARACTERS = 4_096;
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

export interface ProvenRequest {
  proof: unknown;
  token: string;
  /** The thumbprint of the key that the token is bound to (RFC 7638). */
  jkt: string;
  method: string;
  /** As `normalizeUrl` writes it. */
  url: string;
  nowSeconds: number;
  /** Called before the signature is checked. */
  checkNonce: (nonce: unknown, iat: number) => void;
}

export const refuseProof = (words: string): TokenRefusal => new TokenRefusal(words, 'invalid_dpop_proof');

/** @throws {TokenRefusal} with the error of the challenge (RFC 9449, section 7.1) */
export async function verifyProof(request: ProvenRequest): Promise<{ jti: string; iat: number }> {
  const { proof, token, jkt, method, url, nowSeconds, checkNonce } = request;
  if (proof === undefined) throw refuseProof('The header DPoP is missing.');
  // Fields of one name are joined by commas, and there must be one.
  const isCompact = typeof proof === 'string' && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(proof);
  if (!isCompact || proof.length > MAX_CHARACTERS) throw refuseProof('The header DPoP must hold one proof.');
  const { header, claims } = decode(proof);
  const { typ, alg = '', jwk, crit } = header;
  if (typ !== 'dpop+jwt') throw refuseProof('The type of the proof must be dpop+jwt.');
  if (!PROOF_ALGORITHMS.includes(alg))
    throw refuseProof('The proof is signed with an algorithm that does not count here.');
  if (crit !== undefined) throw refuseProof('The proof has critical headers that are not known here.');
  if (!isRecord(jwk) || jwk['kty'] === 'oct') throw refuseProof('The proof must hold its public key (jwk).');
  if (PRIVATE_MEMBERS.some((name) => Object.hasOwn(jwk, name)))
    throw refuseProof('The proof holds a private key: make a new one, and keep it.');
  const thumbprint = await calculateJwkThumbprint(jwk as JWK, 'sha256').catch(() => {
    throw refuseProof('The key of the proof is malformed.');
  });
  if (thumbprint !== jkt) throw new TokenRefusal('The token is bound to another key than that of the proof.');
  const { htm, htu, ath, iat, jti, nonce } = claims;
  if (htm !== method) throw refuseProof('The proof is for another method (htm).');
  if (normalizeUrl(htu) !== url) throw refuseProof(`The proof is for another URL (htu): this is ${url}.`);
  if (ath !== hash('sha256', token, 'base64url')) throw refuseProof('The proof is for another token (ath).');
  if (typeof iat !== 'number' || !(Math.abs(nowSeconds - iat) <= WINDOW_SECONDS))
    throw refuseProof(
      `The proof must be at most ${WINDOW_SECONDS} seconds old (iat), and not of the future.`,
    );
  if (!isText(jti)) throw refuseProof('The proof has no identifier (jti).');
  checkNonce(nonce, iat);
  try {
    await compactVerify(proof, await importJWK(jwk as JWK, alg), { algorithms: [alg] });
  } catch {
    throw refuseProof('The signature of the proof is wrong.');
  }
  return { jti, iat };
}

function decode(proof: string) {
  try {
    const claims: Readonly<Record<string, unknown>> = decodeJwt(proof);
    return { header: decodeProtectedHeader(proof), claims };
  } catch {
    throw refuseProof('The proof is no JWT.');
  }
}

/**
 * Without query and fragment (RFC 9449, section 4.3), and normalized (RFC 3986, section 6.2): letters of scheme and host, default
 * ports, dot segments, percent-encoding. `wss` is `https`, as in the request of a WebSocket. Undefined for anything else.
 */
export function normalizeUrl(text: unknown): string | undefined {
  // ASCII without blanks and backslashes, which software reads differently.
  if (typeof text !== 'string' || !/^(?:https?|wss?):\/\/[!-[\]-~]+$/i.test(text)) return undefined;
  if (!URL.canParse(text)) return undefined;
  const { protocol, host, pathname, username, password } = new URL(text);
  if (username + password !== '') return undefined;
  const path = pathname.replace(/%[\da-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : code.toUpperCase();
  });
  return `${protocol.replace('ws', 'http')}//${host}${path}`;
}

/**
 * The URL of a served path as clients know it: that of `Host` could be anyone's. If no path is that of the resource, a proxy changes
 * them: the endpoint, which is the first path, is the resource then, and the others are beside it or below.
 */
export function createTargetFinder(
  { origin, pathname }: URL,
  [endpoint = '/', ...others]: readonly string[],
) {
  const base = pathname.replace(/\/$/, '');
  const isUnchanged = [endpoint, ...others].some((path) => path === base || path.startsWith(`${base}/`));
  const prefix = base.endsWith(endpoint) ? base.slice(0, -endpoint.length) : base;
  return (path: string): string => {
    const target = isUnchanged ? path : path === endpoint ? pathname : `${prefix}${path}`;
    return normalizeUrl(origin + target) ?? '';
  };
}
