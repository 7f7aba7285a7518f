// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The two tools that run steps, as they are listed. */
import type { ToolInfo } from '../../types.ts';
import type { Access } from '../access.ts';
import { STEPS_SCHEMA } from './program.ts';

const FORM =
  'Values are literals or expressions: $inputs.x, $item (of forEach), $steps.<id> of a step before, with a JSONPath tail such as ' +
  "$steps.list[?@.state=='open'].id (no `..`), or $length, $sum, $min, $max, $first, $join, $unique of one. $$ begins a text with $. " +
  '`when` and `while` compare by == != < > && || !. forEach takes a list and answers one. repeat calls again, `with` changed arguments, while ' +
  'the last page says so, and joins the lists of pages.';

function makeTool(access: Access, title: string, description: string) {
  const isReading = access === 'read';
  const info: ToolInfo = {
    name: `run_${access}_steps`,
    title,
    description: `${description} Only \`result\` is returned. ${FORM}`,
    inputSchema: STEPS_SCHEMA,
    annotations: {
      ...{ readOnlyHint: isReading, destructiveHint: false },
      ...{ idempotentHint: isReading, openWorldHint: true },
    },
  };
  return { access, info };
}

const ADDING = 'Calls several tools that read, or add without changing what is there.';
/** What the steps of each may call. Tools that may destroy are called one by one: consent for one is no consent for the next. */
export const STEP_TOOLS = {
  run_read_steps: makeTool('read', 'Run reading steps', 'Calls several tools that only read.'),
  run_write_steps: makeTool('write', 'Run reading and adding steps', ADDING),
};
