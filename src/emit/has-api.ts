import { listApis } from '../../templates/runtime/contract/bindings.ts';
import type { ServerModel } from '../model/server-model.ts';

/** Whether there is an API behind the server; else functions alone do its work. */
export function hasApi(model: Pick<ServerModel, 'upstream' | 'upstreams'>): boolean {
  return listApis(model).length > 0;
}
