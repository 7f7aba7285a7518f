/** MCPG1xx: reading a source: files, URLs, syntax, references between files. */
import { define } from '../define.ts';

export const loadDiagnostics = {
  'source-not-found': define<{ source: string }>({
    code: 'MCPG101',
    severity: 'error',
    message: ({ source }) => `There is no file ${source}.`,
    hint: 'Check the path; it is taken relative to the working folder.',
    docs: {
      cause: 'The source named on the command line does not exist, so there is nothing to compile.',
      fix: 'Give the path of an existing OpenAPI document, a URL, or `-` for standard input.',
      example: 'mcpgen openapi does-not-exist.yaml',
    },
  }),
};
