/** MCPG3xx: schemas. */
import { define } from '../define.ts';

export const schemaDiagnostics = {};
