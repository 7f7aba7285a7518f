/** A file of workflows: steps as the feature `workflows` runs them, by name, or an Arazzo description. */
export interface WorkflowFile {
  /** As messages name it, taken from the working folder. */
  file: string;
  value: unknown;
}
