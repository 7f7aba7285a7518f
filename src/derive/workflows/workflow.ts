import type { Step } from '../../../templates/runtime/features/steps/program.ts';
import type { Tool } from '../../model/server-model.ts';

/** Calls after the first one, and seconds before each. */
export const RETRY_LIMITS = { max: 10, seconds: 60 };

/** A workflow as it was read. Its steps call tools and operations by name. */
export interface Workflow {
  name: string;
  title?: string;
  description: string;
  /** JSON Schema. */
  inputs?: unknown;
  steps: Step[];
  result: unknown;
  /** JSON Pointer of the workflow, and of a fault that the check of its steps has found. */
  pointer: string;
  locate: (place: string) => string;
}

export type ReportFault = (pointer: string, problem: string) => void;

/** The tool of an operation, or why there is none. */
export type FindTool = (name: string) => Tool | { refusal: string };
