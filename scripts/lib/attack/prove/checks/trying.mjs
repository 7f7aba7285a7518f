/** Calls that the preview tries. */
const families = ['tried calls'];

export const checks = [
  {
    check: 'a tried call sends what the lock accepts',
    edits: [['await refuseSending(model, options, consent);', 'void 0;']],
    files: ['dist/src/preview/try/try-call.js'],
    families,
    rows: /than the lock accepts|as an argument/,
    each: true,
  },
  {
    check: 'a variable of the document is accepted by its name and origin',
    edits: [['if (refused.length > 0)', 'if (false)']],
    files: ['dist/src/project/check-sending.js'],
    families,
    rows: /as an argument/,
    each: true,
  },
];
