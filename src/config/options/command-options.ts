/** Rows of commands that begin or compare something: each is of one command alone. */
import { TRANSPORTS } from '../../model/features.ts';
import * as row from './option-row.ts';
import { CONFIG_FORMATS } from './project-config.ts';
import { makeListCheck, makeChoiceCheck, flag, text } from './shape.ts';

const TEXT = { type: 'string', check: text } as const;
const SWITCH = { type: 'boolean', check: flag } as const;

export const COMMAND_OPTIONS = {
  format: {
    ...row.makeCommandOption('Output:', '--format <format>', ['init'], {
      type: 'ConfigFormat',
      check: makeChoiceCheck(...CONFIG_FORMATS),
    }),
    help: `json in the project's folder, or ts or js in this one`,
    default: 'json',
  },
  transports: {
    ...row.makeCommandOption('Server:', '--transport <name>', ['init'], {
      type: 'string[]',
      check: makeListCheck(makeChoiceCheck(...TRANSPORTS), 'must be a list of transports'),
    }),
    isSplit: true,
    help: `transports of the server (it always has stdio): ${TRANSPORTS.join(', ')}`,
    default: 'stdio,http',
  },
  yes: {
    ...row.makeCommandOption('Input:', '--yes', ['init'], SWITCH),
    help: 'ask nothing on a terminal: defaults for what no flag says',
  },
  overlayFile: {
    ...row.makeCommandOption('Output:', '-o, --output <file>', ['overlay init'], TEXT),
    help: 'the overlay, - for stdout',
    default: './<document>.overlay.yaml',
  },
  skillsFolder: {
    ...row.makeCommandOption('Output:', '-o, --output <dir>', ['skills init'], TEXT),
    help: 'folder of the skills',
    default: 'the folder skills beside the source',
  },
  templatesFolder: {
    ...row.makeCommandOption('Output:', '-o, --output <dir>', ['templates eject'], TEXT),
    help: 'folder of templates',
    default: './templates',
  },
  markdown: {
    ...row.makeCommandOption('Comparison:', '--markdown', ['diff'], SWITCH),
    conflicts: ['json'],
    help: 'print a table for a pull request',
  },
  failOn: {
    ...row.makeCommandOption('Comparison:', '--fail-on <what>', ['diff'], {
      type: "'breaking' | 'any'",
      check: makeChoiceCheck('breaking', 'any'),
    }),
    help: 'exit 1 if there are such changes: breaking or any',
  },
} as const satisfies Record<string, row.OptionRow>;
