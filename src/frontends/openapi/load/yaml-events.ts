import { type Event, YAMLException, parseEvents } from 'js-yaml';

export interface YamlEvents {
  events: Event[];
  /** The parsed text; lines of flow collections may have been indented. */
  text: string;
}

/** Limit of characters that repairs may parse again. */
const repairBudget = 60_000_000;
const padding = ' '.repeat(64);

/**
 * Reads YAML events. YAML 1.2 requires each line of a flow collection to be indented deeper than its parent; hardly
 * any reader insists, and documents close `}` at the margin. Indentation has no meaning there, so such lines are
 * indented and read again.
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
      // A line that was indented already has another problem.
      if (text.startsWith(padding, start)) throw first ?? error;
      text = text.slice(0, start) + padding + text.slice(start);
    }
  }
}

function deficientIndentation(error: unknown): number | undefined {
  if (!(error instanceof YAMLException) || error.reason !== 'deficient indentation') return undefined;
  return error.mark?.position;
}

/** An unclosed bracket swallows the rest, so the first error was the right one. */
function isAtEnd(error: unknown, text: string): boolean {
  if (!(error instanceof YAMLException) || error.mark === undefined) return false;
  return text.slice(error.mark.position).trim() === '' || error.reason.includes('missed comma');
}
