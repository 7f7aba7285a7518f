import { definedMembers } from '../../../util/defined-members.ts';
import { basename } from 'node:path';
import type { ApiInfo } from '../../../model/source-model.ts';
import { type ReadContext, readRecord } from '../read-context.ts';
import { kindOf } from './record.ts';
import { type RecordNode, type SourceNode, memberOf, originOf } from '../reference/source-node.ts';
import { wordsOf } from './text.ts';
import { writtenText } from './written-text.ts';

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
    documentationUrl: docs && readUrl(context, memberOf(docs, 'url'), '`externalDocs.url`'),
  };
  return {
    title: (info && wordsOf(writtenText(memberOf(info, 'title')))) ?? deriveTitle(context, root),
    version: (info && wordsOf(writtenText(memberOf(info, 'version')))) ?? '0.0.0',
    ...definedMembers(words),
  };
}

function deriveTitle(context: ReadContext, root: RecordNode): string {
  const file = context.entry.file.replace(/[?#].*$/s, '');
  const title =
    basename(file)
      .replace(/\.\w+$/, '')
      .replaceAll(/[<>]/g, '') || 'API';
  context.report('missing-title', { title }, { at: originOf(memberOf(root, 'info')) });
  return title;
}

/** MCP requires an absolute URI for a server's web site. */
function readUrl(context: ReadContext, node: SourceNode, what: string): string | undefined {
  if (node.value === undefined || node.value === null) return undefined;
  const url = wordsOf(node.value);
  if (url !== undefined && /^https?:\/\//i.test(url) && URL.canParse(url)) return url;
  const found = typeof node.value === 'string' ? JSON.stringify(node.value) : kindOf(node.value);
  const expected = 'an absolute URL with http or https';
  context.report('invalid-piece', { what, expected, found }, { at: originOf(node) });
  return undefined;
}
