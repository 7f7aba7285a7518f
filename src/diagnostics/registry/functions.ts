/** MCPG8xx: functions that become tools, resources, prompts and completions. */
import { argumentDiagnostics } from './functions/arguments.ts';
import { codeDiagnostics } from './functions/code.ts';
import { nameDiagnostics } from './functions/names.ts';
import { tagDiagnostics } from './functions/tags.ts';

export const functionDiagnostics = {
  ...tagDiagnostics,
  ...nameDiagnostics,
  ...argumentDiagnostics,
  ...codeDiagnostics,
};
