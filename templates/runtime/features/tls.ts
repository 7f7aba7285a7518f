// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** HTTPS. The certificate is read again on SIGHUP, so that a renewed one is used without a restart. */
import { readFileSync } from 'node:fs';
import type { ServerOptions } from 'node:https';
import type { TlsOptions } from 'node:tls';
import type { Feature } from '../feature.ts';
import type { MakeListener } from '../http.ts';
import { getSetting } from '../settings.ts';
import { UsageError } from '../types.ts';

export function tls(): Feature {
  let stop = (): void => undefined;
  const makeListener: MakeListener = async ({ flags, env, features, report }, options, take) => {
    const { name, value: cert } = getSetting(flags, env, 'tls-cert', 'MCP_TLS_CERT');
    const { name: keyName, value: key = cert } = getSetting(flags, env, 'tls-key', 'MCP_TLS_KEY');
    if (key === undefined) return undefined;
    if (cert === undefined)
      throw new UsageError(`${keyName} is set, and its certificate is not: --tls-cert names it.`);
    const passphrase = env['MCP_TLS_PASSPHRASE'] || undefined;
    const read = () => ({
      cert: readFileSync(cert),
      key: readFileSync(key),
      ...(passphrase !== undefined && { passphrase }),
    });
    // Features ask for certificates of clients.
    const ofFeatures = features.flatMap(({ parts }) => Object.values(parts?.['tls'] ?? {})) as TlsOptions[];
    const fixed = Object.assign(
      { ...options, handshakeTimeout: options.headersTimeout },
      ...ofFeatures,
    ) as ServerOptions;
    const { createServer } = await import('node:https');
    const listener = await Promise.resolve()
      .then(() => createServer({ ...fixed, ...read() }))
      .catch((cause: Error) => {
        throw new UsageError(`${name} and its key can't be used: ${cause.message}.`, { cause });
      });
    listener.on('request', (request, response) => {
      response.setHeader('strict-transport-security', 'max-age=31536000');
      take(request, response);
    });
    const renew = (): void => {
      try {
        listener.setSecureContext(read());
      } catch (thrown) {
        report(thrown);
      }
    };
    process.on('SIGHUP', renew);
    stop = () => void process.off('SIGHUP', renew);
    return listener;
  };
  return {
    name: 'tls',
    settings: [
      {
        flag: 'tls-cert',
        value: 'file',
        variable: 'MCP_TLS_CERT',
        help: 'Serve HTTPS with this certificate (PEM), read again on SIGHUP.',
      },
      { flag: 'tls-key', value: 'file', variable: 'MCP_TLS_KEY', help: 'Its key. Default: the same file.' },
      { variable: 'MCP_TLS_PASSPHRASE', help: 'Passphrase of that key.' },
    ],
    parts: { listener: { https: makeListener } },
    stop: () => stop(),
  };
}
