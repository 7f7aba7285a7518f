import type { DocumentIndex } from '../../../diagnostics/locate/document-index.ts';
import { JsonIndex } from '../../../diagnostics/locate/json-index.ts';
import { YamlIndex } from '../../../diagnostics/locate/yaml-index.ts';
import { pointerTokens } from '../reference/json-pointer.ts';
import type { LoadedDocument } from '../load/loaded-document.ts';
import type { SourceNode } from '../reference/source-node.ts';

/**
 * Reads a scalar as text. An unquoted `version: 1.10` is the number 1.1 to a parser, so numbers are looked up in the
 * document.
 */
export function writtenText(node: SourceNode): unknown {
  const { value } = node;
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'number' ? (writtenNumber(node) ?? String(value)) : value;
}

/** Undefined if the number is not found, for example behind a YAML alias. */
export function writtenNumber({ document, pointer, value }: SourceNode): string | undefined {
  const ways = pointer.startsWith('/info/') ? [jsonIndex, infoIndex, yamlIndex] : [jsonIndex, yamlIndex];
  for (const open of ways) {
    const opened = open(document);
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

type Open = (document: LoadedDocument) => OpenedText | undefined;

/** Indexes the lines of `info` only, since an index of a whole YAML text takes as long as parsing it. */
function infoIndex({ text }: LoadedDocument): OpenedText | undefined {
  const [lines] = /^(?:info|"info"|'info')[ \t]*:.*(?:\r?\n(?:[ \t#].*)?)*/m.exec(text) ?? [];
  return lines === undefined ? undefined : { text: lines, index: new YamlIndex(lines) };
}

/** Keeps one index of a kind for each document, since building it takes as long as parsing the text. */
function kept(open: (text: string) => OpenedText | undefined): Open {
  const opened = new WeakMap<LoadedDocument, OpenedText | undefined>();
  return (document) => {
    if (!opened.has(document)) opened.set(document, open(document.text));
    return opened.get(document);
  };
}

const jsonIndex = kept((text) => (/^\s*\{/.test(text) ? { text, index: new JsonIndex(text) } : undefined));
const yamlIndex = kept((text) => ({ text, index: new YamlIndex(text) }));
