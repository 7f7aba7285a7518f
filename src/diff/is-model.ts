import { isRecord } from '../../templates/runtime/contract/json-value.ts';
import type { ServerModel } from '../model/server-model.ts';
import type { Surface } from './surface.ts';

const lists = ['tools', 'resources', 'resourceTemplates', 'prompts'] as const;

/** Checks only the lists, since mcpgen wrote their items. */
export function isSurface(value: unknown): value is Surface {
  return isRecord(value) && lists.every((name) => Array.isArray(value[name]));
}

export function isModel(value: unknown): value is ServerModel {
  return isSurface(value) && 'format' in value && value.format === 1 && 'completions' in value;
}
