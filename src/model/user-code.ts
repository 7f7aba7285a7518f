/** Code of the user that runs inside mcpgen. */
import type { ServerModel } from './server-model.ts';

export interface Hooks {
  /**
   * Changes the model before anything is made of it; also for `inspect`, `serve` and `diff`. It may be asynchronous. The model
   * is a copy: change it, or return another. Tools keep the names that this returns only as long as it gives the same ones
   * again.
   */
  onModel?(model: ServerModel): ServerModel | undefined | Promise<ServerModel | undefined>;
}
