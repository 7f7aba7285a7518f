/**
 * `npm run wire:prism [-- <folder>] [--only a,b] [--json]`: as `wire:steady`, with Prism in place of the API, for the
 * Swagger 2.0 documents of a corpus, which Steady does not take; without the peer.
 */
import { prism } from './lib/wire/prism.mjs';
import { runJudge } from './lib/wire/run-judge.mjs';

await runJudge(prism, { share: 0.99, documents: 8, withPeer: false });
