/**
 * Property tests draw the same cases in every run, so that a change is judged by what it changes.
 * `FC_SEED=<integer>` draws others, and `FC_RUNS=<count>` more of them.
 */
import fc from 'fast-check';

const { FC_SEED: seed = '1', FC_RUNS: runs } = process.env;

fc.configureGlobal({ seed: Number(seed), ...(runs === undefined ? {} : { numRuns: Number(runs) }) });
