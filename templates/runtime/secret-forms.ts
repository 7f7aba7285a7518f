// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The forms in which a secret may be written: as it is, in Base64, percent-encoded, escaped. */
import { encodeFormUrl, encodeUnreserved, wellFormed } from './percent-encoding.ts';

/** Forms without escapes: UTF-8 read as Latin-1, as most servers read headers; doubled quotes of CSV, YAML and SQL; CDATA. */
export function writtenForms(secret: string): string[] {
  const octets = Buffer.from(secret, 'utf8').toString('latin1');
  const doubled = [secret.replaceAll('"', '""'), secret.replaceAll("'", "''")];
  return [secret, octets, ...doubled, secret.replaceAll(']]>', ']]]]><![CDATA[>')];
}

/**
 * The characters of Base64 that the text beside a secret does not change, for each place within three bytes where it may
 * begin; also for its escaped forms.
 */
export function inBase64(secret: string): string[] {
  return [...new Set([secret, ...escapedForms(secret)])].flatMap((one) =>
    [0, 1, 2].map((before) => {
      const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(one, 'utf8')]);
      const start = Math.ceil((before * 8) / 6);
      return bytes.toString('base64').slice(start, Math.floor((bytes.length * 8) / 6));
    }),
  );
}

/** Escaped as in JSON of JavaScript, PHP, Go, Python and ASP.NET, in URLs, forms and XML. */
function escapedForms(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const hex = (character: string): string =>
    (character.codePointAt(character.length - 1) ?? 0).toString(16).padStart(4, '0');
  const unicode = (text: string, which: RegExp): string => text.replace(which, (one) => `\\u${hex(one)}`);
  const dotnet = unicode(json, /[+&<>'`\x7f-\uffff]|\\"/g);
  const unreserved = encodeUnreserved(secret);
  const urls = [
    encodeURIComponent(wellFormed(secret)),
    unreserved,
    unreserved.replaceAll('~', '%7E'),
    encodeFormUrl(secret),
  ];
  return [
    json,
    json.replaceAll('/', '\\/'),
    unicode(json, /[&<>\u2028\u2029]/g),
    unicode(json, /[\x7f-\uffff]/g),
    ...[dotnet, dotnet.replace(/(?<=\\u)[\da-f]{4}/g, (code) => code.toUpperCase())],
    ...urls,
    ...urls.map((url) => url.replace(/%../g, (byte) => byte.toLowerCase())),
    secret.replace(/[&<>"']/g, (one) => XML[one] ?? one),
  ];
}

const XML: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
