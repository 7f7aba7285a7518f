import type { DocumentIndex } from '../../../diagnostics/locate/document-index.ts';
import { JsonIndex } from '../../../diagnostics/locate/json-index.ts';
import { YamlIndex } from '../../../diagnostics/locate/yaml-index.ts';
import { pointerTokens } from '../reference/json-pointer.ts';
import type { SourceNode } from '../reference/source-node.ts';

/**
 * A value of `info` as text. An unquoted `version: 1.10` is the number 1.1 to a parser, and was meant as it is written,
 * so a number is looked up in the text.
 */
export function writtenText(node: SourceNode): unknown {
  const { value } = node;
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'number' ? (writtenNumber(node, value) ?? String(value)) : value;
}

function writtenNumber({ document: { text }, pointer }: SourceNode, value: number): string | undefined {
  for (const open of [jsonIndex, infoIndex, yamlIndex]) {
    const opened = open(text);
    if (opened === undefined) continue;
    const { start, end } = opened.index.find(pointerTokens(pointer), 'value');
    const written = opened.text.slice(start, end).trim();
    if (written !== '' && Number(written) === value) return written;
  }
  return undefined;
}

interface OpenedText {
  text: string;
  index: DocumentIndex;
}

function jsonIndex(text: string): OpenedText | undefined {
  return /^\s*\{/.test(text) ? { text, index: new JsonIndex(text) } : undefined;
}

/** The lines of `info` alone, since an index of a whole YAML text takes as long as parsing it. */
function infoIndex(text: string): OpenedText | undefined {
  const [lines] = /^(?:info|"info"|'info')[ \t]*:.*(?:\r?\n(?:[ \t#].*)?)*/m.exec(text) ?? [];
  return lines === undefined ? undefined : { text: lines, index: new YamlIndex(lines) };
}

function yamlIndex(text: string): OpenedText {
  return { text, index: new YamlIndex(text) };
}
