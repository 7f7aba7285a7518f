import type { Tools } from '../generated/types.ts';
import type { Handlers } from '../runtime/types.ts';

/**
 * Your own code for Corner Shop. mcpgen wrote this file once and never touches it again.
 * After an edit, `npm run build` (or the next `mcpgen generate`) brings it to `dist/`.
 */
export const handlers: Handlers<Tools> = {};
// ../runtime/types.ts describes everything it can hold. For example:
//
// export const handlers: Handlers<Tools> = {
//   // Logs each call of a tool, resource or prompt that exists.
//   aroundCall: async (call, next) => {
//     const started = Date.now();
//     const outcome = await next();
//     console.error(call.name, outcome.cause ?? 'ok', `${Date.now() - started} ms`);
//     return outcome;
//   },
//   // Runs before each request to the API; a retry sends the same.
//   beforeRequest: (request) => request.headers.set('x-request-id', crypto.randomUUID()),
//   tools: {
//     // Changes what a tool answers: a value is its text and its structure. `next()` calls the API.
//     products_import: async (args, context, next) => {
//       const result = await next();
//       await context.log('info', `called with ${JSON.stringify(args)}`);
//       return result.structuredContent ?? result;
//     },
//   },
//   // Tools the document doesn't have.
//   extraTools: [
//     {
//       name: 'current_time',
//       description: 'The current time, as ISO 8601.',
//       inputSchema: { type: 'object' },
//       handler: () => new Date().toISOString(),
//     },
//   ],
// };
