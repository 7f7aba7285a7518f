import { apisOf } from '../../templates/runtime/contract/apis.ts';
import type { ServerModel } from '../model/server-model.ts';

/** Whether there is an API behind the server; else functions alone do its work. */
export function hasApi(model: Pick<ServerModel, 'upstream' | 'upstreams'>): boolean {
  return apisOf(model).length > 0;
}
