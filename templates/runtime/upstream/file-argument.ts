/** An argument that names a file, `file:<path>`, before anything is known of the file. */
import { fileURLToPath } from 'node:url';
import { mediaTypeOf } from '../contract/media-type.ts';
import { UpstreamError } from './upstream-error.ts';

export class FileArgument {
  readonly argument: string;
  /** Relative to the files folder, or absolute. */
  readonly path: string;

  /** @throws {UpstreamError} `argument` when it is no path on this machine */
  constructor(argument: string, uri: string) {
    this.argument = argument;
    this.path = pathOf(argument, uri);
  }

  /** Without a folder, which is no part of a file's name (RFC 7578, section 4.2). */
  get filename(): string {
    return this.path.split(/[\\/]/).at(-1) ?? '';
  }

  /** By its extension; undefined when that says nothing. */
  get mediaType(): string | undefined {
    return mediaTypeOf(this.filename);
  }
}

/** As opposed to base64, which has no colon. */
export function isFileUri(value: unknown): value is string {
  return typeof value === 'string' && /^file:/i.test(value);
}

/** With slashes it is a URL (RFC 8089) and percent-decoded; without, a path as it stands. */
function pathOf(argument: string, uri: string): string {
  try {
    const path = /^file:\/\//i.test(uri) ? fileURLToPath(uri) : uri.slice('file:'.length);
    if (path !== '' && !path.includes('\0')) return path;
  } catch {
    // Another host, or an encoded slash.
  }
  throw new UpstreamError(
    'argument',
    `Argument "${argument}" names no file. Give file:<path in the files folder>, such as file:photos/cat.png.`,
  );
}
