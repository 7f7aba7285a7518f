// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Bytes that stand for a file. */
import { isMediaRange } from '../contract/http-syntax.ts';

/** One grey pixel. */
const IMAGE = {
  mimeType: 'image/png',
  bytes: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mP4DwABAQEAHLCMmQAAAABJRU5ErkJggg==',
    'base64',
  ),
};

/** A sound of no length. */
const SOUND = {
  mimeType: 'audio/wav',
  bytes: Buffer.from('UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=', 'base64'),
};

export const WORD = 'sample';

export function isImageOrAudio(mimeType: string): boolean {
  return /^(image|audio)\//i.test(mimeType);
}

/** Every image is PNG and every sound WAVE; other files hold one word. */
export function sampleMedia(mimeType = 'application/octet-stream'): { mimeType: string; bytes: Buffer } {
  if (isImageOrAudio(mimeType)) return /^image/i.test(mimeType) ? IMAGE : SOUND;
  return {
    mimeType: isMediaRange(mimeType) ? 'application/octet-stream' : mimeType,
    bytes: Buffer.from(WORD),
  };
}
