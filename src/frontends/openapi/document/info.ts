import { basename } from 'node:path';
import type { ApiInfo } from '../../../model/source-model.ts';
import { type ReadContext, readRecord } from '../read-context.ts';
import { type RecordNode, memberOf, originOf } from '../reference/source-node.ts';
import { wordsOf } from './text.ts';

/** The Info Object. A version written as a YAML number is taken as text. */
export function readInfo(context: ReadContext, root: RecordNode): ApiInfo {
  const node = memberOf(root, 'info');
  const info = readRecord(context, node, '`info`');
  const value = info?.value ?? {};
  const license = info && readRecord(context, memberOf(info, 'license'), '`info.license`');
  const docs = readRecord(context, memberOf(root, 'externalDocs'), '`externalDocs`');
  const words = {
    summary: wordsOf(value.summary),
    description: info && wordsOf(context.resolver.wordsBehind(memberOf(info, 'description'))),
    termsOfService: wordsOf(value.termsOfService),
    licenseName: wordsOf(license?.value.name),
    documentationUrl: wordsOf(docs?.value.url),
  };
  return {
    title: wordsOf(textOf(value.title)) ?? standIn(context, root),
    version: wordsOf(textOf(value.version)) ?? '0.0.0',
    ...definedMembers(words),
  };
}

function standIn(context: ReadContext, root: RecordNode): string {
  const file = context.entry.file.replace(/[?#].*$/s, '');
  const title =
    basename(file)
      .replace(/\.\w+$/, '')
      .replaceAll(/[<>]/g, '') || 'API';
  context.report('missing-title', { title }, { at: originOf(memberOf(root, 'info')) });
  return title;
}

function textOf(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

/** The members that are there. */
export function definedMembers<T extends Record<string, unknown>>(
  members: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const defined: { [K in keyof T]?: Exclude<T[K], undefined> } = {};
  for (const key in members) {
    const value = members[key];
    if (value !== undefined) defined[key] = value as Exclude<T[typeof key], undefined>;
  }
  return defined;
}
