/** What a running server keeps, also when another project takes the place of its first. Types only, as in `parts.ts`. */
import type { TakenStates } from './rounds/taken-states.ts';
import type { TaskStore } from './tasks/task-store.ts';

export interface ServerState {
  /** Signs the state of calls that wait for a client's answers. */
  stateKey?: Buffer;
  /** Those of such states that count once. */
  takenStates?: TakenStates;
  tasks?: TaskStore;
  /** What ends each open subscription with its result, and whose it is. */
  subscriptions?: Map<() => void, unknown>;
  /** The server stops: a subscription that is opened now ends at once. */
  isStopping?: boolean;
}
