/** Bodies of made-up answers. */
import type { Json } from '../contract/json-schema.ts';
import { writeJson } from '../contract/json-text.ts';
import { xmlBody } from './body/xml-body.ts';
import { essence, isJson, isRange, isText, isXml } from '../contract/media-type.ts';

/** The least image there is: one grey pixel of PNG. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mP4DwABAQEAHLCMmQAAAABJRU5ErkJggg==',
  'base64',
);

/** A sound of no length (WAVE). */
const SILENCE = Buffer.from('UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=', 'base64');

/** What a text, or a file, of which nothing is known says. */
const WORD = 'sample';

/** The media type that is answered with. A sample of an image or a sound is PNG or WAVE, whatever was said of it. */
export function mockType(stated: string, value: Json | undefined): string {
  const isBytes = bytesIn(value) === undefined && !isText(stated) && !isJson(stated);
  if (/^image\//i.test(stated) && (isBytes || isRange(stated))) return 'image/png';
  if (/^audio\//i.test(stated) && (isBytes || isRange(stated))) return 'audio/wav';
  if (!isRange(stated)) return stated;
  if (typeof value === 'string' || /^text\//i.test(stated)) return 'text/plain';
  return value === undefined ? 'application/octet-stream' : 'application/json';
}

/** The value as a body of a media type that is none of sequences. */
export function mockBytes(mediaType: string, value: Json | undefined): Buffer {
  if (isJson(mediaType)) return Buffer.from(writeJson(value ?? {}));
  if (isText(mediaType)) return Buffer.from(textIn(mediaType, value));
  if (essence(mediaType) === 'image/png') return bytesIn(value) ?? PIXEL;
  if (essence(mediaType) === 'audio/wav') return bytesIn(value) ?? SILENCE;
  return bytesIn(value) ?? Buffer.from(textIn(mediaType, value));
}

function textIn(mediaType: string, value: Json | undefined): string {
  if (typeof value === 'string') return value;
  if (isXml(mediaType)) return xmlBody({ root: { name: WORD } }, WORD, value ?? '');
  return value === undefined ? WORD : writeJson(value);
}

/** The bytes that a text is the base64 of; undefined for any other value. */
function bytesIn(value: Json | undefined): Buffer | undefined {
  if (typeof value !== 'string' || value.length < 4 || value.length % 4 > 0) return undefined;
  return /^[A-Za-z\d+/]+={0,2}$/.test(value) ? Buffer.from(value, 'base64') : undefined;
}
