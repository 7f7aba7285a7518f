import type { Project } from './project.ts';

/** The server stops: each subscription is answered with its result, also those still to come; tasks are cancelled. */
export function endProject({ parts }: Project): void {
  parts.isStopping = true;
  for (const end of parts.subscriptions ?? []) end();
  parts.tasks?.endAll();
}
