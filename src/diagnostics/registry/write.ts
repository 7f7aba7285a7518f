/** MCPG5xx: the target folder. */
import { define } from '../define.ts';

export const writeDiagnostics = {};
