import { useMemo } from 'preact/hooks';

import { classes, htm } from '../htm.ts';
import { type JsonLine, listLines, printJson } from '../json.ts';

interface Properties {
  value: unknown;
  label: string;
  /** JSON Pointer of the value to mark. */
  marked?: string | undefined;
  onPoint?: (pointer: string) => void;
}

/** Beyond this many lines the text is shown without colours. */
const MOST_LINES = 4000;

export function JsonText({ value, label, marked, onPoint }: Properties) {
  const lines = useMemo(() => listLines(value), [value]);
  const body =
    lines.length > MOST_LINES
      ? printJson(value, 2)
      : lines.map((line) =>
          Line({ line, isMarked: line.pointer === marked && line.pointer !== '', onPoint }),
        );
  return htm`<pre class="code json" tabindex="0" role="region" aria-label=${label}>${body}</pre>`;
}

function Line({
  line,
  isMarked,
  onPoint,
}: {
  line: JsonLine;
  isMarked: boolean;
  onPoint: Properties['onPoint'];
}) {
  const { depth, key, text, kind, isFollowed, pointer } = line;
  const point = onPoint === undefined ? undefined : () => onPoint(pointer);
  return htm`<span class=${classes('line', isMarked && 'is-marked')} data-pointer=${pointer} onMouseEnter=${point}>${'  '.repeat(depth)}${key !== undefined && htm`<span class="j-key">${JSON.stringify(key)}</span>: `}<span class=${`j-${kind}`}>${text}</span>${isFollowed ? ',' : ''}${'\n'}</span>`;
}
