/** MCPG6xx: the command line and configuration. */
import { define } from '../define.ts';

export const usageDiagnostics = {};
