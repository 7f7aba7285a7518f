/** A client with a key of its own: tokens that are bound to it, and proofs of it (RFC 9449). */
import { hash } from 'node:crypto';
import { type CryptoKey, type JWK, SignJWT, calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { AUDIENCE, seconds } from '../issuer.ts';

export interface Prover {
  alg: string;
  jwk: JWK;
  privateKey: CryptoKey;
  /** Thumbprint of the key, as tokens name it. */
  jkt: string;
  /** A proof for the endpoint, but for what is given; undefined leaves a member out. */
  prove(token: string, claims?: object, header?: object): Promise<string>;
  /** Headers of a request with the token, and a new proof. */
  headers(token: string, claims?: object, header?: object): Promise<Record<string, string>>;
}

let made = 0;

export async function newProver(alg = 'ES256'): Promise<Prover> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = await exportJWK(publicKey);
  const prove: Prover['prove'] = (token, claims = {}, header = {}) =>
    new SignJWT({
      jti: `proof ${(made += 1)}`,
      htm: 'POST',
      htu: AUDIENCE,
      iat: seconds(0),
      ath: hash('sha256', token, 'base64url'),
      ...claims,
    })
      .setProtectedHeader({ typ: 'dpop+jwt', alg, jwk, ...header })
      .sign(privateKey);
  return {
    ...{ alg, jwk, privateKey, prove },
    jkt: await calculateJwkThumbprint(jwk),
    headers: async (...given) => ({ authorization: `DPoP ${given[0]}`, dpop: await prove(...given) }),
  };
}
