import type { Project } from './project.ts';

/** The server stops: each subscription is answered with its result, also those still to come; tasks are cancelled. */
export function endProject({ state }: Project): void {
  state.isStopping = true;
  for (const end of state.subscriptions?.keys() ?? []) end();
  state.tasks?.endAll();
}
