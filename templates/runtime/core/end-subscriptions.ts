import type { Project } from './project.ts';

/** The server stops: each open subscription is answered with its result. */
export function endSubscriptions({ parts }: Project): void {
  for (const end of parts.subscriptions ?? []) end();
}
