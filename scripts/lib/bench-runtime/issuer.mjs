/** Issues the token that calls of a guarded server bring. */
import { createServer } from 'node:http';

import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** Audience of the token. */
export const audience = 'http://127.0.0.1/mcp';

/** @returns {Promise<{ url: string, token: string, close: () => void }>} */
export async function startIssuer() {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256' }];
  const server = createServer((request, response) => {
    const metadata = { issuer: url, jwks_uri: `${url}/jwks` };
    response.end(JSON.stringify(request.url === '/jwks' ? { keys } : metadata));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  const token = await new SignJWT({ sub: 'alice', client_id: 'bench', scope: 'add' })
    .setProtectedHeader({ alg: 'RS256', kid: 'k', typ: 'at+jwt' })
    .setIssuer(url)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(privateKey);
  return { url, token, close: () => server.close().closeAllConnections() };
}
