import { useEffect, useRef } from 'preact/hooks';

import type { ToolView } from '../../src/preview/protocol.ts';
import { classes, htm } from '../htm.ts';

interface Properties {
  source: ToolView['source'];
  /** The line to mark and to bring into sight. */
  marked?: number | undefined;
  /** Lines that words of the tool come from. */
  cited: ReadonlySet<number>;
}

export function SourceText({ source, marked, cited }: Properties) {
  const box = useRef<HTMLPreElement>(null);
  useEffect(() => {
    if (marked === undefined) return;
    const line = box.current?.children[marked - source.firstLine];
    line?.scrollIntoView({ block: 'nearest' });
  }, [marked, source]);
  return htm`<pre ref=${box} class="code source" tabindex="0" role="region" aria-label=${`Source, ${source.file}`}>${source.lines.map(
    (line, index) => {
      const number = source.firstLine + index;
      return htm`<span class=${classes('line', number === marked && 'is-marked', cited.has(number) && 'is-cited')} data-line=${number}>${colour(line, source.language)}${'\n'}</span>`;
    },
  )}</pre>`;
}

const PATTERNS: Record<ToolView['source']['language'], RegExp> = {
  yaml: /^(?<lead>[\s-]*)(?<key>[^\s:#'"][^:#]*|'[^']*'|"[^"]*")(?<mid>:)(?<rest>\s.*|)$/,
  json: /^(?<lead>\s*)(?<key>"(?:[^"\\]|\\.)*")(?<mid>\s*:)(?<rest>.*)$/,
  typescript: /^(?<lead>[\s/*]*)(?<key>@\w+)(?<mid>)(?<rest>.*)$/,
};

/** Keys in their colour; more would need a parser. */
function colour(line: string, language: ToolView['source']['language']) {
  if (line.length > 2000 || /^\s*#/.test(line)) return line;
  const { lead = '', key, mid = '', rest = '' } = PATTERNS[language].exec(line)?.groups ?? {};
  return key === undefined ? line : htm`${lead}<span class="j-key">${key}</span>${mid}${rest}`;
}
