/** Secrets that an API says back. */
import { replacement } from '../checks.mjs';

const family = 'secrets in answers';

export const checks = [
  replacement(
    'escapes are decoded where secrets are looked for',
    ['(isCut || this.mayHideSecret(level)) ? decode(level)', 'false ? decode(level)'],
    family,
    /as PHP escapes it|in XML|every byte/,
  ),
  replacement(
    'escapes are decoded more than once',
    ['level = text, rest = 5;', 'level = text, rest = 1;'],
    family,
    /in a URL in a URL|JSON in JSON/,
  ),
  replacement('Base64 of secrets is looked for', ['plain.flatMap(base64Spellings)', '[]'], family, /Base64/),
  replacement(
    'lines of Base64 are joined',
    ['return hasFold(text);', 'return false;'],
    family,
    /Base64 by lines/,
  ),
  replacement(
    'UTF-8 that was read as Latin-1',
    ['Buffer.from(secret, "utf8").toString("latin1"),', 'secret,'],
    family,
    /Latin-1/,
  ),
  replacement(
    'secrets in bytes',
    ['return shown === text ? body : Buffer.from(shown, "latin1");', 'return body;'],
    family,
    /bytes|an image/,
  ),
];
