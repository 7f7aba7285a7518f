/** `--read-only` and `--confirm destructive`. */
import { replacement } from '../checks.mjs';

const families = ['reading and confirming'];

const answers = ['request state', 'states of callers', 'reading and confirming'];

const anyAnswer = [
  '(asked === void 0 ? !once : asked.includes(key)) ? getOwnMember(this.#responses, key) : void 0',
  'getOwnMember(this.#responses, key)',
];

export const checks = [
  {
    ...replacement(
      'only tools that read are served',
      ['this.hidden === void 0 || annotations?.readOnlyHint === true', 'true'],
      families,
      /^read-only: (?:a tool|an operation) that writes/,
    ),
    // The tool is there, and is told of.
    admits: /wanted unknown, got/,
  },
  replacement(
    'the definition switches no flag off',
    [
      'readOnly: statements.some(({ readOnly }) => readOnly === true)',
      'readOnly: statements.findLast(({ readOnly }) => readOnly !== void 0)?.readOnly',
    ],
    families,
    /false in the definition: a tool that writes$/,
  ),
  replacement(
    'a destructive tool asks first',
    ['confirms === true && readOnlyHint !== true', 'false'],
    families,
    /^confirm: (?!yes with a state|yes of another)/,
  ),
  {
    ...replacement(
      'only a form that says yes confirms',
      ['action === "accept" && content?.["confirm"] === true', 'true'],
      families,
      /^confirm: (?:no|a form that is closed|yes, with a form that says no)$/,
    ),
    each: true,
  },
  {
    ...replacement(
      'an answer is to a question that the state has put',
      anyAnswer,
      answers,
      /^confirm: yes before anybody was asked|to what was not asked/,
    ),
    each: true,
  },
  {
    check: 'a yes is to its arguments',
    edits: [
      anyAnswer,
      ['`confirm ${hashParams({\n\t\t\tname,\n\t\t\targuments: args\n\t\t})}`', '"ask-1"'],
      ['state.params === binding?.params && ', ''],
    ],
    families,
    rows: /^confirm: yes (?:to one id|under a guessed key|to other arguments|to another tool)/,
    each: true,
  },
  {
    ...replacement(
      'a yes counts once',
      ['once: true\n\t};', 'once: false\n\t};'],
      families,
      /^confirm: one yes, five times/,
    ),
    each: true,
  },
];
