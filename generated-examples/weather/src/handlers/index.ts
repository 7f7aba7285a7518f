import type { Tools } from '../generated/types.ts';
import type { Handlers } from '../runtime/types.ts';

/**
 * Your own code for weather-tools. mcpgen wrote this file once and never touches it again.
 * After an edit, `npm run build` (or the next `mcpgen generate`) brings it to `dist/`.
 */
export const handlers: Handlers<Tools> = {};
// Everything it can hold is described in ../runtime/types.ts. For example:
//
// export const handlers: Handlers<Tools> = {
//   tools: {
//     // Replaces what a tool does. Its arguments have been validated; what it throws becomes a tool error.
//     // A tool with an output schema must be answered by an object that matches it.
//     draw_logo: async (args, context) => {
//       await context.log('info', `called with ${JSON.stringify(args)}`);
//       return 'An answer of my own.';
//     },
//   },
//   // Tools beside the functions.
//   extraTools: [
//     {
//       name: 'current_time',
//       description: 'The current time, as ISO 8601.',
//       inputSchema: { type: 'object' },
//       handler: () => new Date().toISOString(),
//     },
//   ],
// };
