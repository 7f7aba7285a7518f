import type { Project } from './project.ts';

/** The server stops: each open subscription is answered with its result, and so is each that is still to come. */
export function endSubscriptions({ parts }: Project): void {
  parts.isStopping = true;
  for (const end of parts.subscriptions ?? []) end();
}
