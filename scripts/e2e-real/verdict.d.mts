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
  /** The same steps with the peer's server; they don't count. */
  peer?: PeerReport;
  /** Milliseconds from the server's start to its end. */
  ms?: number;
}

export interface PeerReport {
  tools: number;
  /** Whether official clients refuse its list of tools, and with it all of them. */
  listRefused?: boolean;
  steps: Step[];
  /** What kept it from being driven. */
  broken?: string;
}

export function failedSteps(report: Report): (Step & { connection: string })[];

/** Whether every server that ran passed every step, and three of the chosen ones ran, or all where fewer were chosen. */
export function isGood(reports: Report[]): boolean;
