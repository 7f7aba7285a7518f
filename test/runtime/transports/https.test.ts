// HTTPS by files of a certificate, which may be renewed while the server runs.
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { start } from './http-harness.ts';

const given = (name: string): string => fileURLToPath(new URL(`../../support/tls/${name}`, import.meta.url));
const ca = readFileSync(given('authority.pem'));
const folder = mkdtempSync(join(tmpdir(), 'mcpgen-https-'));
const tls = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The common name of the certificate that a new connection is shown. */
function nameAt(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), ca, rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

test('it is served by TLS, and its certificate is followed', async () => {
  copyFileSync(given('server.pem'), tls.cert);
  copyFileSync(given('server-key.pem'), tls.key);
  const { url, reported } = await start({ tls, limits: { certificateLookMs: 5 } });
  expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  const answer = await new Promise<[number | undefined, unknown]>((resolve, reject) => {
    request(`${url}/healthz`, { ca, agent: false }, (response) => {
      response.resume();
      resolve([response.statusCode, response.headers['strict-transport-security']]);
    })
      .on('error', reject)
      .end();
  });
  expect(answer).toEqual([200, 'max-age=31536000']);

  const before = await nameAt(url);
  writeFileSync(tls.cert, 'no certificate');
  await expect.poll(() => reported.length).toBeGreaterThan(0);
  expect(await nameAt(url)).toBe(before);

  copyFileSync(given('client-key.pem'), tls.key);
  copyFileSync(given('client.pem'), tls.cert);
  await expect.poll(() => nameAt(url)).not.toBe(before);
});
