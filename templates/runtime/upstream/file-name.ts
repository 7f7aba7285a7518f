/** What a saved answer is called. The API suggests a name; it never says where. */
import type { IncomingHttpHeaders } from 'node:http';
import type { WireRequest } from './wire-request.ts';
import { extensionOf } from '../contract/media-type.ts';

/** File systems take 255 bytes; this leaves room for a number, and for characters of several bytes. */
const MOST_CHARACTERS = 60;

/** By `Content-Disposition` (RFC 6266), else by the last segment of the path; with an extension. */
export function savedName({ target }: Pick<WireRequest, 'target'>, headers: IncomingHttpHeaders): string {
  const segment = decoded(/([^/?]*)\/?(?:\?|$)/.exec(target)?.[1] ?? '');
  const name = safe(suggested(headers['content-disposition'] ?? '') ?? segment) || 'download';
  const extension = /\.[A-Za-z\d]{1,8}$/.exec(name)?.[0] ?? '';
  const stem = name.slice(0, name.length - extension.length).slice(0, MOST_CHARACTERS);
  return stem + (extension === '' ? `.${extensionOf(headers['content-type'] ?? '')}` : extension);
}

/** `filename*` before `filename` (RFC 6266, section 4.3; RFC 8187). */
function suggested(disposition: string): string | undefined {
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1];
  if (extended !== undefined) return decoded(extended);
  const [, quoted, token] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? [];
  return quoted === undefined ? token : quoted.replace(/\\(.)/g, '$1');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** No folder, no control characters, none that a file system forbids, no dot at either end, no name of a device. */
function safe(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? '';
  const plain = last.replace(/[\0-\x1F\x7F-\x9F<>:"|?*]/g, '_').replace(/^[.\s]+|[.\s]+$/g, '');
  return /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(plain) ? `_${plain}` : plain;
}
