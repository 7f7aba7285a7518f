import { type Event, YAMLException, parseEvents } from 'js-yaml';

export interface YamlEvents {
  events: Event[];
  /** The text the events speak of: the given one, or with lines of flow collections moved to the right. */
  text: string;
}

/** Characters that may be parsed again for repairs: a bound on time. */
const repairBudget = 60_000_000;
const padding = ' '.repeat(64);

/**
 * The events of a YAML text. YAML 1.2 demands that each line of a flow collection or quoted text is indented
 * deeper than what it belongs to; hardly any reader insists, and real documents close `}` at the margin of their
 * key. Indentation has no meaning there, so such lines are moved to the right and read again.
 */
export function readYamlEvents(given: string, depth: number): YamlEvents {
  let text = given;
  let first: YAMLException | undefined;
  let budget = repairBudget;
  for (;;) {
    try {
      return { events: parseEvents(text, { maxDepth: depth }), text };
    } catch (error) {
      const position = deficientIndentation(error);
      budget -= text.length;
      if (position === undefined || budget < 0)
        throw first !== undefined && isAtEnd(error, text) ? first : error;
      if (first === undefined && error instanceof YAMLException) first = error;
      const start = text.lastIndexOf('\n', position - 1) + 1;
      // A line that was moved already is not helped by moving it again.
      if (text.startsWith(padding, start)) throw first ?? error;
      text = text.slice(0, start) + padding + text.slice(start);
    }
  }
}

function deficientIndentation(error: unknown): number | undefined {
  if (!(error instanceof YAMLException) || error.reason !== 'deficient indentation') return undefined;
  return error.mark?.position;
}

/** A bracket that is never closed swallows the rest: the first complaint was the right one. */
function isAtEnd(error: unknown, text: string): boolean {
  if (!(error instanceof YAMLException) || error.mark === undefined) return false;
  return text.slice(error.mark.position).trim() === '' || error.reason.includes('missed comma');
}
