/** MCPG4xx: decisions about names, arguments, selection and the rest of the tool surface. */
import { define } from '../define.ts';

export const deriveDiagnostics = {};
