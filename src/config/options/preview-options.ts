/** Rows of `mcpgen preview` alone. */
import * as row from './option-row.ts';
import { flag, makePredicateCheck } from './shape.ts';

const SWITCH = { type: 'boolean', check: flag } as const;

const port = makePredicateCheck(
  (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535,
  'must be a port, 0 to 65535',
);

export const PREVIEW_OPTIONS = {
  previewPort: {
    ...row.makeCommandOption('Output:', '--port <n>', ['preview'], { type: 'number', check: port }),
    help: 'port of the page',
    default: 'a free one',
  },
  noOpen: { ...row.makeCommandOption('Output:', '--no-open', ['preview'], SWITCH), help: 'open no browser' },
  previewReadOnly: {
    ...row.makeCommandOption('Output:', '--read-only', ['preview'], SWITCH),
    help: 'write no file',
  },
} as const satisfies Record<string, row.OptionRow>;
