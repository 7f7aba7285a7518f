/**
 * `npm run wire:steady [-- <folder>] [--only a,b] [--json]`: every tool of the OpenAPI 3.0 and 3.1 documents of a corpus is
 * called through MCP, with Steady in place of the API, which says of each request whether the document wants it so. A
 * peer's servers are judged the same way. Ends with 1 on a miss that is not in the table, an entry that is not needed any
 * more, or too low a score.
 */
import { runJudge } from './lib/wire/run-judge.mjs';
import { steady } from './lib/wire/steady.mjs';

await runJudge(steady, { share: 0.99, documents: 20, withPeer: true });
