// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Checks a DPoP proof (RFC 9449, section 4.3), the cheap checks first: form, header, key, claims, and last the signature.
 */
import { hash } from 'node:crypto';
import {
  type JWK,
  type ProtectedHeaderParameters,
  calculateJwkThumbprint,
  compactVerify,
  decodeJwt,
  decodeProtectedHeader,
  importJWK,
} from 'jose';

import { isRecord } from '../../contract/json-value.ts';
import { isText } from '../claims.ts';
import { TokenRefusal } from '../refusals.ts';

/** Only asymmetric algorithms may sign a proof (RFC 9449, section 11.6). */
export const PROOF_ALGORITHMS: readonly string[] =
  'ES256 ES384 ES512 PS256 PS384 PS512 RS256 RS384 RS512 EdDSA Ed25519'.split(' ');

/** How far `iat` may be from the server's time, since clocks of clients differ. */
export const WINDOW_SECONDS = 300;

/** Enough for an RSA key of 8,192 bits. */
const MOST_CHARACTERS = 4_096;

/** The header must be there once: fields of one name are joined by commas. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

export interface ProvenRequest {
  proof: unknown;
  token: string;
  /** Thumbprint of the key that the token is bound to (RFC 7638). */
  jkt: string;
  method: string;
  /** As `normalizeUrl` writes it. */
  url: string;
  nowSeconds: number;
  /** Called before the signature is checked. */
  checkNonce: (nonce: unknown, iat: number) => void;
}

/** @throws {TokenRefusal} with the error of the challenge (RFC 9449, section 7.1) */
export async function verifyProof(request: ProvenRequest): Promise<{ jti: string; iat: number }> {
  const { proof, jkt, checkNonce } = request;
  if (proof === undefined) throw proofRefusal('The header DPoP is missing.');
  if (typeof proof !== 'string' || proof.length > MOST_CHARACTERS || !COMPACT.test(proof))
    throw proofRefusal('The header DPoP must hold one proof.');
  const { header, claims } = decodeProof(proof);
  const { alg, jwk } = checkHeader(header);
  if ((await jwkThumbprint(jwk)) !== jkt)
    throw new TokenRefusal('The token is bound to another key than that of the proof.');
  const { jti, iat } = checkClaims(claims, request);
  checkNonce(claims['nonce'], iat);
  try {
    await compactVerify(proof, await importJWK(jwk, alg), { algorithms: [alg] });
  } catch {
    throw proofRefusal('The signature of the proof is wrong.');
  }
  return { jti, iat };
}

function proofRefusal(words: string): TokenRefusal {
  return new TokenRefusal(words, undefined, 'invalid_dpop_proof');
}

function decodeProof(proof: string): { header: ProtectedHeaderParameters; claims: Record<string, unknown> } {
  try {
    return { header: decodeProtectedHeader(proof), claims: decodeJwt(proof) };
  } catch {
    throw proofRefusal('The proof is no JWT.');
  }
}

function checkHeader({ typ, alg, jwk, crit }: ProtectedHeaderParameters): { alg: string; jwk: JWK } {
  if (typ !== 'dpop+jwt') throw proofRefusal('The type of the proof must be dpop+jwt.');
  if (alg === undefined || !PROOF_ALGORITHMS.includes(alg))
    throw proofRefusal('The proof is signed with an algorithm that does not count here.');
  if (crit !== undefined) throw proofRefusal('The proof has critical headers that are not known here.');
  if (!isRecord(jwk) || jwk['kty'] === 'oct') throw proofRefusal('The proof must hold its public key (jwk).');
  if (PRIVATE_MEMBERS.some((name) => Object.hasOwn(jwk, name)))
    throw proofRefusal('The proof holds a private key: make a new one, and keep it.');
  return { alg, jwk };
}

async function jwkThumbprint(jwk: JWK): Promise<string> {
  try {
    return await calculateJwkThumbprint(jwk, 'sha256');
  } catch {
    throw proofRefusal('The key of the proof is malformed.');
  }
}

function checkClaims(
  { htm, htu, ath, iat, jti }: Record<string, unknown>,
  { method, url, token, nowSeconds }: ProvenRequest,
): { jti: string; iat: number } {
  if (htm !== method) throw proofRefusal('The proof is for another method (htm).');
  if (normalizeUrl(htu) !== url) throw proofRefusal(`The proof is for another URL (htu): this is ${url}.`);
  if (ath !== hash('sha256', token, 'base64url')) throw proofRefusal('The proof is for another token (ath).');
  if (typeof iat !== 'number' || !(Math.abs(nowSeconds - iat) <= WINDOW_SECONDS))
    throw proofRefusal(
      `The proof must be at most ${WINDOW_SECONDS} seconds old (iat), and not of the future.`,
    );
  if (!isText(jti)) throw proofRefusal('The proof has no identifier (jti).');
  return { jti, iat };
}

/** ASCII without blanks and backslashes, which software reads differently. */
const URL_TEXT = /^(?:https?|wss?):\/\/[!-[\]-~]+$/i;

/**
 * Without query and fragment (RFC 9449, section 4.3), and normalized (RFC 3986, section 6.2): letters of scheme and host,
 * default ports, dot segments, percent-encoding. `wss` is `https`, as in the request of a WebSocket. Undefined for anything else.
 */
export function normalizeUrl(text: unknown): string | undefined {
  if (typeof text !== 'string' || !URL_TEXT.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, host, pathname, username, password } = new URL(text);
  if (username !== '' || password !== '') return undefined;
  const path = pathname.replace(/%[\da-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : code.toUpperCase();
  });
  return `${protocol.replace('ws', 'http')}//${host}${path}`;
}

/**
 * The URL of a served path as clients know it: that of `Host` could be anyone's. If no path is that of the resource, a proxy
 * changes them: the endpoint, which is the first path, is the resource then, and the others are beside it or below.
 */
export function createTargetUrlFinder(resource: URL, [endpoint = '/', ...others]: readonly string[]) {
  const { origin, pathname } = resource;
  const base = pathname.replace(/\/$/, '');
  const isUnchanged = [endpoint, ...others].some((path) => path === base || path.startsWith(`${base}/`));
  const prefix = base.endsWith(endpoint) ? base.slice(0, -endpoint.length) : base;
  return (path: string): string => {
    const target = isUnchanged ? path : path === endpoint ? pathname : `${prefix}${path}`;
    return normalizeUrl(`${origin}${target}`) ?? '';
  };
}
