/** MCPG14x: workflows beside the configuration. */
import { defineDiagnostic } from '../define.ts';

const endSentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`);

export const workflowDiagnostics = {
  'workflow-fault': defineDiagnostic<{ problem: string }>({
    code: 'MCPG145',
    message: ({ problem }) => `The workflow can't be run. ${endSentence(problem)}`,
    hint: 'Correct it here, or remove the workflow.',
  }),
  'workflow-left-out': defineDiagnostic<{ problem: string }>({
    code: 'MCPG146',
    severity: 'warning',
    message: ({ problem }) => `The workflow is left out. ${endSentence(problem)}`,
    hint: 'Change it here, or write it as steps in a file of its own.',
  }),
};
