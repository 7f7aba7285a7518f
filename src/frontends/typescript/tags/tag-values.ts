import { tryParseJsonExactly } from '../../../util/try-parse-json.ts';
import type { Annotations, Icon, ToolAnnotations, ToolExecution } from '../../../model/listed-items.ts';
import type { Json, JsonObject } from '../../../util/json-schema.ts';
import { isScopeToken } from '../../../util/http-syntax.ts';
import { META_KEY_FORM, isValidMetaKey } from '../../../util/json-value.ts';
import type { DocTag, Docs } from '../docs/read-docs.ts';
import type { SourceProgram } from '../program/source-program.ts';

type Reporter = Pick<SourceProgram, 'diagnostics' | 'originOfTag'>;

const HINTS = {
  readOnly: 'readOnlyHint',
  destructive: 'destructiveHint',
  idempotent: 'idempotentHint',
  openWorld: 'openWorldHint',
} as const satisfies Record<string, keyof ToolAnnotations>;

/** Returns only hints that are written. A tag alone is true, `@destructive false` is false. */
export function readToolAnnotations(block: Docs, source: Reporter): ToolAnnotations {
  const annotations: ToolAnnotations = {};
  for (const [name, hint] of Object.entries(HINTS)) {
    const tag = findTag(block, name);
    if (tag === undefined) continue;
    if (tag.text !== '' && tag.text !== 'true' && tag.text !== 'false')
      reportBadTag(tag, 'takes no value, or `true` or `false`', source);
    else annotations[hint] = tag.text !== 'false';
  }
  return annotations;
}

export function readScopes({ tags }: Docs, source: Reporter): string[] {
  const scopes: string[] = [];
  for (const tag of tags.filter(({ name }) => name === 'scope')) {
    const names = tag.text.split(/[\s,]+/).filter((name) => name !== '');
    // An `@` at its beginning is rather a tag.
    const odd = names.find((name) => !isScopeToken(name) || name.startsWith('@'));
    if (names.length === 0) reportBadTag(tag, 'needs the name of a scope', source);
    else if (odd !== undefined) reportBadTag(tag, `takes names of scopes, not \`${odd}\``, source);
    else scopes.push(...names);
  }
  return [...new Set(scopes)];
}

/** `@icon <url> [media type] [sizes…] [light|dark]` */
export function readIconTags({ tags }: Docs, source: Reporter): Icon[] {
  return tags.filter(({ name }) => name === 'icon').flatMap((tag) => parseIconTag(tag, source));
}

function parseIconTag(tag: DocTag, source: Reporter): Icon[] {
  const [src = '', ...details] = tag.text.split(/\s+/);
  if (!/^(https?|data):/.test(src) || !URL.canParse(src))
    return reportBadTag(tag, 'needs a URL of http, https or data', source);
  const icon: Icon = { src };
  const sizes: string[] = [];
  for (const detail of details) {
    if (detail === 'light' || detail === 'dark') icon.theme = detail;
    else if (/^(any|\d+x\d+)$/.test(detail)) sizes.push(detail);
    else if (/^image\/\S+$/.test(detail)) icon.mimeType = detail;
    else
      return reportBadTag(
        tag,
        `takes a media type, sizes (48x48, any) and light or dark, not \`${detail}\``,
        source,
      );
  }
  return [{ ...icon, ...(sizes.length === 0 ? {} : { sizes }) }];
}

/** `@meta <key> <json>` */
export function readMetaTags({ tags }: Docs, source: Reporter): JsonObject | undefined {
  const entries = tags
    .filter(({ name }) => name === 'meta')
    .flatMap((tag): [string, Json][] => {
      const key = firstWord(tag);
      const value = tryParseJsonExactly(tag.text.slice(key.length)) as Json | undefined;
      if (!isValidMetaKey(key))
        return reportBadTag(tag, `needs a key first, which is ${META_KEY_FORM}`, source);
      return value === undefined
        ? reportBadTag(tag, `needs a value in JSON after \`${key}\``, source)
        : [[key, value]];
    });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

export function readMimeTypeTag(block: Docs, source: Reporter): string | undefined {
  const tag = findTag(block, 'mimeType');
  if (tag === undefined) return undefined;
  if (/^[^\s/]+\/[^\s/]\S*( *;.*)?$/.test(tag.text)) return tag.text;
  reportBadTag(tag, 'needs a media type, such as `image/png`', source);
  return undefined;
}

/** `@audience user`, `@audience user assistant`, `@priority 0.5` */
export function readResourceAnnotations(block: Docs, source: Reporter): Annotations | undefined {
  const annotations: Annotations = {};
  const audience = findTag(block, 'audience');
  if (audience !== undefined) {
    const names = audience.text.split(/[\s,]+/);
    if (names.every((name) => name === 'user' || name === 'assistant')) annotations.audience = names;
    else reportBadTag(audience, 'takes `user`, `assistant` or both', source);
  }
  const priority = findTag(block, 'priority');
  if (priority !== undefined) {
    const value = priority.text === '' ? Number.NaN : Number(priority.text);
    if (value >= 0 && value <= 1) annotations.priority = value;
    else reportBadTag(priority, 'takes a number from 0 to 1', source);
  }
  return Object.keys(annotations).length === 0 ? undefined : annotations;
}

/** `@task` alone is `@task optional`. */
export function readTaskTag(block: Docs, source: Reporter): ToolExecution | undefined {
  const tag = findTag(block, 'task');
  if (tag === undefined) return undefined;
  const { text } = tag;
  if (text === '') return { taskSupport: 'optional' };
  if (text === 'optional' || text === 'required' || text === 'forbidden') return { taskSupport: text };
  reportBadTag(tag, 'takes `optional`, `required` or `forbidden`', source);
  return undefined;
}

export function reportBadTag(tag: DocTag, problem: string, { diagnostics, originOfTag }: Reporter): [] {
  diagnostics.report('bad-tag', { tag: tag.name, problem }, { at: originOfTag(tag) });
  return [];
}

export function findTag({ tags }: Docs, name: string): DocTag | undefined {
  return tags.find((tag) => tag.name === name);
}

export function firstWord({ text }: DocTag): string {
  return text.split(/\s/, 1)[0] ?? '';
}

/** MCP allows a slash in names of tools; without `toolNames: spec` they are cleaned later. */
export function isValidItemName(tag: string, text: string): boolean {
  return (tag === 'tool' ? /^[\w./-]{0,128}$/ : /^[\w.-]{0,128}$/).test(text);
}

/** Reads a name, in which invalid characters, already reported, are replaced. */
export function readCleanName(tag: DocTag): string {
  const word = firstWord(tag);
  return isValidItemName(tag.name, word) ? word : word.replace(/[^\w.-]+/g, '_').slice(0, 64);
}
