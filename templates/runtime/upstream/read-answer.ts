/** Decodes what the API answered. */
import type { Json } from '../contract/json-schema.ts';
import type { WireAnswer } from './send-request.ts';
import { isJson, isText, mediaTypeParameter } from '../contract/media-type.ts';
import { type Redact, redactJson, redactNothing } from '../redact.ts';
import { readJson, writeJson } from '../contract/json-text.ts';
import type { AnswerBody, UpstreamAnswer } from '../upstream-answer.ts';

export function readAnswer(wire: WireAnswer, url: string, redact: Redact): UpstreamAnswer {
  const mediaType = namedType(wire.headers['content-type']);
  return {
    status: wire.status,
    ok: wire.status >= 200 && wire.status < 300,
    ...(mediaType === undefined ? {} : { mediaType: redact(mediaType) }),
    headers: redactedHeaders(wire.headers, redact),
    url,
    body: readBodyAs(mediaType, wire, redact),
    ...(wire.truncated ? { truncated: true } : {}),
    ...(wire.sequence?.part === undefined
      ? {}
      : { cut: `The answer was not read to its end. Shown: ${wire.sequence.part}.` }),
  };
}

/** Some say `json`, or nothing: as good as no header. */
function namedType(header: string | undefined): string | undefined {
  return header !== undefined && /^[^/;]+\/[^/;]/.test(header) ? header : undefined;
}

/** A `Location` may repeat the query it was asked with. */
function redactedHeaders(headers: WireAnswer['headers'], redact: Redact): WireAnswer['headers'] {
  if (redact === redactNothing) return headers;
  const redacted: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(headers)) redacted[redact(name)] = redact(value);
  return redacted;
}

/** Drift never throws: JSON that isn't becomes text, text that isn't becomes bytes. */
function readBodyAs(mediaType: string | undefined, wire: WireAnswer, redact: Redact): AnswerBody {
  const { body, sequence, saved } = wire;
  if (saved !== undefined) return { kind: 'file', ...saved };
  if (sequence !== undefined) return { kind: 'json', ...sequence.read(redact) };
  if (body.length === 0) return { kind: 'none' };
  if (mediaType === undefined) return guessed(wire, redact);
  if (isJson(mediaType)) return jsonOrText(decodeText(body, mediaType), wire, redact, BROKEN_JSON);
  if (isText(mediaType)) return { kind: 'text', text: redact(decodeText(body, mediaType), wire.truncated) };
  return { kind: 'bytes', bytes: redactBytes(wire, redact) };
}

/** Without a `Content-Type`: text if it is UTF-8, and JSON if that parses to an object or array. */
function guessed(wire: WireAnswer, redact: Redact): AnswerBody {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(wire.body);
    return /^\s*[[{]/.test(text)
      ? jsonOrText(text, wire, redact)
      : { kind: 'text', text: redact(text, wire.truncated) };
  } catch {
    return { kind: 'bytes', bytes: redactBytes(wire, redact) };
  }
}

/** A secret of ASCII in a blob is found as the text it is; one beyond it in UTF-8. */
function redactBytes({ body, truncated }: WireAnswer, redact: Redact): Buffer {
  if (redact === redactNothing) return body;
  const text = body.toString('latin1');
  const shown = redact(text, truncated);
  return shown === text ? body : Buffer.from(shown, 'latin1');
}

/** `fault` goes with what began as JSON. */
function jsonOrText(source: string, { truncated }: WireAnswer, redact: Redact, fault?: string): AnswerBody {
  const text = redact(source, truncated);
  if (truncated) return { kind: 'text', text };
  try {
    if (text !== source) return redactedJson(source, text, redact);
    // Nothing of fewer digits is rounded.
    if (!/\d{16}/.test(text)) return { kind: 'json', value: JSON.parse(text) as Json };
    return { kind: 'json', value: readJson(text) as Json, text };
  } catch {
    return fault !== undefined && /^\s*[[{]/.test(text)
      ? { kind: 'text', text, fault }
      : { kind: 'text', text };
  }
}

/** Value by value: what takes a secret's place in the text may be no JSON, as in place of a number. */
function redactedJson(source: string, redacted: string, redact: Redact): AnswerBody {
  const value = redactJson(readJson(source) as Json, redact);
  const text = writeJson(value);
  // A secret that has quotes and commas may be several texts.
  if (redact(text) !== text) return { kind: 'text', text: redacted };
  return /\d{16}/.test(text) ? { kind: 'json', value, text } : { kind: 'json', value };
}

const BROKEN_JSON =
  'The API calls this JSON, and it is none: it may have been cut short. A call that only reads may be repeated; ' +
  'another one may have taken effect.';

function decodeText(body: Buffer, mediaType: string): string {
  const charset = mediaTypeParameter(mediaType, 'charset');
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    try {
      return new TextDecoder(charset).decode(body);
    } catch {
      // An unknown label: most of what calls itself something odd is UTF-8.
    }
  }
  const text = body.toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
