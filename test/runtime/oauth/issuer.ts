/** An issuer of tokens on a free port of the loopback: its metadata, its keys, and answers about opaque tokens. */
import type { IncomingMessage } from 'node:http';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { onTestFinished } from 'vitest';
import { canaries } from '../../support/canaries.ts';
import { httpServer } from '../../support/loopback.ts';

export interface SigningKey {
  kid: string;
  alg: string;
  privateKey: CryptoKey;
  publicJwk: JWK;
}

export async function newKey(kid: string, alg = 'ES256'): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg);
  return { kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

export interface Issuer {
  /** `http://127.0.0.1:…` */
  url: string;
  key: SigningKey;
  /** Keys that the issuer publishes. */
  keys: JWK[];
  /** The paths that were asked for. */
  asked: string[];
  /** Answers by 500 while set. */
  isDown: boolean;
  /** Metadata that replace the true ones. */
  metadata: Record<string, unknown>;
  /** Answers about opaque tokens, by token. */
  opaque: Record<string, Record<string, unknown>>;
  /** Its answer about any token, while set. */
  introspection?: { status: number; json: object };
  /** A token as it issues them, but for what is given. */
  token(
    claims?: Record<string, unknown>,
    header?: Record<string, unknown>,
    key?: SigningKey,
  ): Promise<string>;
}

export const AUDIENCE = 'https://mcp.test/mcp';

export async function startIssuer(): Promise<Issuer> {
  const key = await newKey('first');
  const issuer: Issuer = {
    url: '',
    key,
    keys: [key.publicJwk],
    asked: [],
    isDown: false,
    metadata: {},
    opaque: {},
    token: async (claims = {}, header = {}, signer = issuer.key) => {
      const signed = new SignJWT({
        iss: issuer.url,
        aud: AUDIENCE,
        sub: 'alice',
        client_id: 'client',
        exp: seconds(60),
        iat: seconds(-1),
        jti: 'j',
        scope: 'read',
        ...claims,
      })
        .setProtectedHeader({ alg: signer.alg, kid: signer.kid, typ: 'at+jwt', ...header })
        .sign(signer.privateKey);
      return canaries.add(await signed);
    },
  };
  const { url, close } = await httpServer((request, response) => {
    void answer(issuer, request).then(({ status, json }) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json)),
    );
  });
  onTestFinished(close);
  issuer.url = url;
  return issuer;
}

/** Environment variables for questions about tokens. */
export function introspection({ url }: Issuer): Record<string, string> {
  return {
    MCP_AUTH_INTROSPECTION_URI: `${url}/introspect`,
    MCP_AUTH_CLIENT_ID: 'server',
    MCP_AUTH_CLIENT_SECRET: 'se:cret',
  };
}

/** From now, in seconds since 1970. */
export function seconds(fromNow: number): number {
  return Math.floor(Date.now() / 1000) + fromNow;
}

async function answer(issuer: Issuer, request: IncomingMessage): Promise<{ status: number; json: object }> {
  const { url: path = '' } = request;
  issuer.asked.push(path);
  if (issuer.isDown) return { status: 500, json: {} };
  switch (path) {
    case '/.well-known/oauth-authorization-server':
      return {
        status: 200,
        json: { issuer: issuer.url, jwks_uri: `${issuer.url}/jwks`, ...issuer.metadata },
      };
    case '/jwks':
      return { status: 200, json: { keys: issuer.keys } };
    case '/introspect':
      return issuer.introspection ?? introspected(issuer, request);
    default:
      return { status: 404, json: {} };
  }
}

async function introspected(
  { opaque }: Issuer,
  request: IncomingMessage,
): Promise<{ status: number; json: object }> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
  const credentials = Buffer.from('server:se%3Acret').toString('base64');
  if (request.headers.authorization !== `Basic ${credentials}`) return { status: 401, json: {} };
  const token = new URLSearchParams(body).get('token') ?? '';
  return { status: 200, json: opaque[token] ?? { active: false } };
}
