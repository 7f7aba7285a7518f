import { ToolError } from 'mcpgen/runtime';
import { type Note, notes } from './notes.ts';

/**
 * A note that is written line by line. Each session has its own.
 * @instance session
 */
export class Draft {
  #lines: string[] = [];

  /** Adds a line to the draft of this session, and returns it as it is now. @tool add_line */
  addLine(line: string): string {
    this.#lines.push(line);
    return this.#lines.join('\n');
  }

  /** Makes a note of the draft, which is empty then. @tool keep_draft */
  keep(): Note {
    if (this.#lines.length === 0) throw new ToolError('The draft is empty: add a line first.');
    return notes.add(this.#lines.splice(0).join('\n'), ['draft']);
  }

  /** What was not kept when the session ends becomes a note as well. */
  [Symbol.dispose](): void {
    if (this.#lines.length > 0) this.keep();
  }
}
