/** The scenarios that several nodes must pass, a row each. */
import { changes } from './scenarios/changes.mjs';
import { chaos } from './scenarios/chaos.mjs';
import { conformance } from './scenarios/conformance.mjs';
import { metrics } from './scenarios/metrics.mjs';
import { once } from './scenarios/once.mjs';
import { rate } from './scenarios/rate.mjs';
import { redisAway } from './scenarios/redis-away.mjs';
import { redisCost } from './scenarios/redis-cost.mjs';
import { rollingRestart } from './scenarios/rolling.mjs';
import { roundRobin } from './scenarios/round-robin.mjs';
import { tasks } from './scenarios/tasks.mjs';

/**
 * @typedef {object} Task
 * @property {(features: string[]) => Promise<string>} main compiles the server with these features, once
 * @property {string} folder where the scenario may write
 * @property {import('../bench/figures.mjs').Figures} figures
 * @property {Record<string, any>} size
 */

/** @typedef {(task: Task) => Promise<void>} Run */

/**
 * @typedef {object} Scenario
 * @property {string} name as chosen by `--only`
 * @property {string} what
 * @property {boolean} needsRedis
 * @property {object} small its size in a bounded run
 * @property {object} full its size with `--full`; `isTimed`: judges times too, for which the machine must be free
 * @property {Run} run
 */

/** @type {Scenario[]} */
export const scenarios = [
  {
    name: 'round-robin',
    what: 'the secret alone: every call is answered, whichever node gets it',
    needsRedis: false,
    small: { nodes: [3], calls: 50 },
    full: { nodes: [2, 3], calls: 1_000 },
    run: roundRobin,
  },
  {
    name: 'conformance',
    what: 'the official suites find what they find of one process',
    needsRedis: true,
    small: { suites: ['next-2025-11-25'] },
    full: {
      suites: ['stable-2025-06-18', 'stable-2025-11-25', 'next-2025-11-25', 'next-2026-07-28', 'skills'],
    },
    run: conformance,
  },
  {
    name: 'chaos',
    what: 'nodes are killed hard: no result is lost or doubled, no call done twice',
    needsRedis: true,
    small: { sessions: 40, everyMs: 2_500, ms: 8_000, callMs: 800, thinkMs: 400 },
    full: { sessions: 1_000, everyMs: 10_000, ms: 300_000, callMs: 2_000, thinkMs: 4_000, isTimed: true },
    run: chaos,
  },
  {
    name: 'redis-away',
    what: 'Redis hangs or is killed: plain calls go on',
    needsRedis: true,
    small: { ms: 4_000 },
    full: { ms: 30_000 },
    run: redisAway,
  },
  {
    name: 'rolling',
    what: 'nodes are replaced under load: no connection refused, no call failed',
    needsRedis: false,
    small: { replaced: 2, perSecond: 100 },
    full: { replaced: 12, perSecond: 200, isTimed: true },
    run: rollingRestart,
  },
  {
    name: 'once',
    what: 'a state that counts once is taken once',
    needsRedis: true,
    small: { races: 50 },
    full: { races: 1_000 },
    run: once,
  },
  {
    name: 'rate',
    what: 'a limit of calls a minute counts over all nodes',
    needsRedis: true,
    small: { ms: 4_000 },
    full: { ms: 60_000 },
    run: rate,
  },
  {
    name: 'changes',
    what: 'a change is heard by the subscribers of all nodes',
    needsRedis: true,
    small: { subscribers: 12, changes: 10 },
    full: { subscribers: 300, changes: 50, isTimed: true },
    run: changes,
  },
  {
    name: 'tasks',
    what: 'a task is known to every node, and fails with its node',
    needsRedis: true,
    small: { tasks: 15 },
    full: { tasks: 300 },
    run: tasks,
  },
  {
    name: 'redis-cost',
    what: 'price of Redis: calls a second, commands, memory',
    needsRedis: true,
    small: { calls: 8_000, rounds: 3, sets: 3 },
    full: { calls: 16_000, rounds: 4, sets: 5 },
    run: redisCost,
  },
  {
    name: 'metrics',
    what: 'price of metrics, and trace ids on their road to the API',
    needsRedis: false,
    small: { calls: 8_000, rounds: 3, sets: 3, traces: 100 },
    full: { calls: 16_000, rounds: 4, sets: 9, traces: 1_000 },
    run: metrics,
  },
];
