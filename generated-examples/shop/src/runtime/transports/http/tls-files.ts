/** The certificate of the server, in files: they are read again when they change, as certificates are renewed. */
import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { createSecureContext, type SecureContextOptions } from 'node:tls';

/** Paths of PEM files; both may be one. */
export interface TlsFiles {
  /** The certificate, and those of authorities between it and a root. */
  cert: string;
  key: string;
  /** Of the key. */
  passphrase?: string;
}

/** @throws {Error} when they can't be read, or are no pair */
export function readTlsFiles({ cert, key, passphrase }: TlsFiles): SecureContextOptions {
  const options = {
    cert: readFileSync(cert),
    key: readFileSync(key),
    ...(passphrase === undefined ? {} : { passphrase }),
  };
  createSecureContext(options);
  return options;
}

/**
 * Has `use` called with what the files hold after a change. What can't be used is told to `refuse`, and the certificate
 * stays: of two files that change one is the first. Looked at by time, since a renewal may replace a folder or a link.
 *
 * @returns what ends it
 */
export function watchTlsFiles(
  files: TlsFiles,
  everyMs: number,
  use: (options: SecureContextOptions) => void,
  refuse: (thrown: unknown) => void,
): () => void {
  const paths = [...new Set([files.cert, files.key])];
  const read = (): void => {
    try {
      use(readTlsFiles(files));
    } catch (thrown) {
      refuse(thrown);
    }
  };
  for (const path of paths) watchFile(path, { interval: everyMs, persistent: false }, read);
  return () => {
    for (const path of paths) unwatchFile(path, read);
  };
}
