/**
 * The tokens of a text: what formatters such as Prettier and Biome leave as it is. A file that only a formatter has changed is
 * known by them. Layout, quotes, semicolons, trailing commas and optional parentheses are left out.
 */
import { extname } from 'node:path/posix';
import { codeTokens } from './code-tokens.ts';

/** Text that is equal for two texts of the file at `path` where only their format differs. */
export function tokensOf(path: string, text: string): string {
  switch (extname(path)) {
    case '.json':
      return jsonTokens(text);
    case '.md':
      return markdownTokens(text);
    case '.yaml':
    case '.yml':
      return yamlTokens(text);
    default:
      return /^\.[cm]?[jt]sx?$/.test(extname(path)) ? codeTokens(text) : lines(text);
  }
}

const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|\s+|,(?=\s*[}\]])/g;

function jsonTokens(text: string): string {
  return text.replace(JSON_TOKEN, (token) => (token.startsWith('"') ? token : ''));
}

/** Code in fences is formatted too. */
function markdownTokens(text: string): string {
  const parts = text.replaceAll('\r\n', '\n').split(/^(```[^\n]*\n[\s\S]*?^```)/m);
  return parts.map((part) => (part.startsWith('```') ? fenceTokens(part) : proseTokens(part))).join('\n');
}

function fenceTokens(fence: string): string {
  const [, language = '', code = ''] = /^```(\w*)[^\n]*\n([\s\S]*)```$/.exec(fence) ?? [];
  return `${language}\n${tokensOf(`fence.${EXTENSIONS[language] ?? language}`, code)}`;
}

const EXTENSIONS: Readonly<Record<string, string>> = { typescript: 'ts', javascript: 'js', jsonc: 'json' };

/** Bullets, emphasis and the rules of tables have several spellings. */
function proseTokens(text: string): string {
  return text
    .replace(/^(\s*)[*+-] /gm, '$1• ')
    .replaceAll('_', '*')
    .replace(/-{2,}/g, '-')
    .replace(/\\([*])/g, '$1')
    .replace(/\s+/g, '');
}

/** How deep a key or an item is counts, not by how many spaces; other lines go on with a value. */
function yamlTokens(text: string): string {
  const depths: number[] = [];
  const marks = text.replace(/^([ \t]*)(?=- |[\w."'-]+:|#)/gm, (indent) => {
    while ((depths.at(-1) ?? -1) > indent.length) depths.pop();
    if ((depths.at(-1) ?? -1) < indent.length) depths.push(indent.length);
    return `${String(depths.length)}>`;
  });
  return marks.replaceAll("'", '"').replace(/\s+/g, '');
}

function lines(text: string): string {
  return text.replace(/[ \t\r]+$/gm, '').trimEnd();
}
