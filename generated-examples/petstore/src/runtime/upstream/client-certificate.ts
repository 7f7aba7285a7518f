/** The certificate by which a client proves itself in TLS (`mutualTLS`): its variables hold PEM, or paths of files that do. */
import { readFile } from 'node:fs/promises';
import type { SecuritySchemeBinding } from '../contract/bindings.ts';
import type { UpstreamSettings } from './settings.ts';
import { UpstreamError } from './upstream-error.ts';

export interface ClientCertificate {
  /** The variables it is read from, in words. */
  from: string;
  cert: string;
  key: string;
  passphrase?: string;
}

/** A key may stand in the certificate's own file. */
export async function readCertificate(
  { env: names }: Extract<SecuritySchemeBinding, { type: 'mutualTLS' }>,
  env: UpstreamSettings['env'],
): Promise<ClientCertificate> {
  const cert = await readPem(names.cert, env[names.cert] ?? '');
  const key = env[names.key] ? await readPem(names.key, env[names.key] ?? '') : cert;
  const passphrase = env[names.passphrase];
  return {
    from: `${names.cert}, ${names.key} and ${names.passphrase}`,
    cert,
    key,
    ...(passphrase ? { passphrase } : {}),
  };
}

async function readPem(name: string, value: string): Promise<string> {
  // `\n` as two characters is how PEM gets into one line of an environment.
  if (value.trimStart().startsWith('-----BEGIN')) return value.replaceAll('\\n', '\n');
  try {
    return await readFile(value, 'utf8');
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'no file';
    throw new UpstreamError(
      'credentials',
      `Nothing was sent: ${name} in the environment of this MCP server must be PEM, or the path of a file that holds it, ` +
        `which can't be read (${code}).`,
    );
  }
}
