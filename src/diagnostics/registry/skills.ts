/** MCPG14x: skills beside the source. */
import { defineDiagnostic } from '../define.ts';

export const skillDiagnostics = {
  'skills-not-found': defineDiagnostic<{ folder: string }>({
    code: 'MCPG140',
    message: ({ folder }) => `There is no folder ${folder} with skills.`,
    hint: 'Correct `skills`, or write first skills with `mcpgen skills init <source>`.',
  }),
  'skill-left-out': defineDiagnostic<{ what: string; problem: string }>({
    code: 'MCPG141',
    severity: 'warning',
    message: ({ what, problem }) => `${what} is not served: ${problem}.`,
    hint: 'Correct it, move it out of the folder, or put a copy of it into a skill.',
  }),
};
