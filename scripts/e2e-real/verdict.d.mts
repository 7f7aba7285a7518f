export interface Step {
  name: string;
  /** Absent when it passed. */
  error?: string;
}

/** What was done with one server. */
export interface Report {
  server: string;
  program: string;
  /** Why it can't run here. */
  notRun?: string;
  /** What kept it from being driven. */
  broken?: string;
  /** Of OpenAPI or Swagger, as its document says. */
  version?: string;
  tools?: number;
  driven: { connection: string; tools: number; steps: Step[] }[];
}

export function failedSteps(report: Report): (Step & { connection: string })[];

/** Whether every server that ran passed every step, and three of the chosen ones ran, or all where fewer were chosen. */
export function isGood(reports: Report[]): boolean;
