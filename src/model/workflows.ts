import type { Step } from '../../templates/runtime/features/steps/program.ts';

/** A file of workflows: steps as the feature `workflows` runs them, by name, or an Arazzo description. */
export interface WorkflowFile {
  /** As messages name it, taken from the working folder. */
  file: string;
  /** Where they are in it. Absent: it has nothing else. */
  pointer?: string;
  value: unknown;
}

/** Workflows as a configuration has them. */
export type WorkflowsByName = Record<string, WorkflowDefinition>;

interface WorkflowDefinition {
  title?: string;
  description: string;
  /** JSON Schema of the arguments. */
  inputs?: Record<string, unknown>;
  steps: Step[];
  result: unknown;
}
