/** A tool as a client offers it to a model. */
export interface OfferedTool {
  name: string;
  parameters?: object;
  /** The schema of its results, where a model's API takes one. */
  result?: object;
}

/** A line for each kind of fault: how often, and the first place. */
export function judgeOffer(tools: readonly OfferedTool[]): string[];
