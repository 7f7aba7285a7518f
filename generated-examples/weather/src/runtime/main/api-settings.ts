/** Stands in the place of `api-settings.ts` where a project has no API: there is nothing to say of its settings. */
import type { ApiSettings } from '../upstream-part.ts';

export const missing: ApiSettings['missing'] = () => [];
export const apiVariables: ApiSettings['apiVariables'] = () => [];
export const baseUrlVariables: ApiSettings['baseUrlVariables'] = () => [];
