import { SCALAR_STYLE, type ScalarEvent } from 'js-yaml';
import type { Span } from './document-index.ts';

/** The span of a YAML scalar, including its quotes. */
export function scalarSpan({ valueStart, valueEnd, style }: ScalarEvent): Span {
  const quoted = style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED;
  const quotes = quoted ? 1 : 0;
  return { start: valueStart - quotes, end: Math.max(valueEnd, valueStart) + quotes };
}
