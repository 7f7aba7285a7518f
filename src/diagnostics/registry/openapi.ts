/** MCPG2xx: what an OpenAPI document says, outside its schemas. */
import { define } from '../define.ts';

export const openapiDiagnostics = {};
