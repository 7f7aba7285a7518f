// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Runs a regular expression without backtracking (Thompson 1968): all branches are followed side by side, so the work is at most the
 * length of the text times that of the program, once more for each look-ahead and look-behind.
 */
import { type CharacterSet, type Edge, type RegexNode, wordCharacters } from './parse-regex.ts';

/** All but `split` go on at the next step. */
type Step =
  | { kind: 'set'; set: CharacterSet }
  | { kind: 'split'; to: number; other: number }
  | { kind: 'edge'; edge: Edge }
  /** Goes on if the steps from `start` to their `match` match here (or do not, if `negative`). A look-behind reads backwards. */
  | { kind: 'look'; start: number; behind: boolean; negative: boolean }
  | { kind: 'match' };
export type Machine = readonly Step[];

/** Counted repetitions are written out. */
const MAX_STEPS = 4_000;

/** Undefined if the machine would be too large. */
export function compileMachine(tree: RegexNode): Machine | undefined {
  const steps: Step[] = [];
  const looks: { step: Step & { kind: 'look' }; item: RegexNode }[] = [];
  const push = <S extends Step>(step: S): S => {
    if (steps.push(step) > MAX_STEPS) throw new RangeError();
    return step;
  };
  const split = () => push({ kind: 'split', to: steps.length + 1, other: steps.length + 1 });

  const writeChoice = (branches: readonly RegexNode[], isBackward: boolean): void => {
    const ends: { to: number; other: number }[] = [];
    for (const branch of branches.slice(0, -1)) {
      const fork = split();
      write(branch, isBackward);
      ends.push(split());
      fork.other = steps.length;
    }
    for (const branch of branches.slice(-1)) write(branch, isBackward);
    for (const end of ends) end.to = end.other = steps.length;
  };

  const writeRepetition = ({ item, min, max }: RegexNode & { kind: 'repeat' }, isBackward: boolean): void => {
    for (let times = 0; times < min; times++) write(item, isBackward);
    const forks: { other: number }[] = [];
    for (let times = min; times < (max === Infinity ? min + 1 : max); times++) {
      const start = steps.length;
      forks.push(split());
      write(item, isBackward);
      if (max !== Infinity) continue;
      const back = split();
      back.to = back.other = start;
    }
    for (const fork of forks) fork.other = steps.length;
  };

  const write = (node: RegexNode, isBackward: boolean): void => {
    if (node.kind === 'set' || node.kind === 'edge') push(node);
    else if (node.kind === 'choice') writeChoice(node.branches, isBackward);
    else if (node.kind === 'repeat') writeRepetition(node, isBackward);
    else if (node.kind === 'look') {
      const { behind, negative, item } = node;
      looks.push({ step: push({ kind: 'look', start: 0, behind, negative }), item });
    } else for (const item of isBackward ? node.items.toReversed() : node.items) write(item, isBackward);
  };

  try {
    write(tree, false);
    push({ kind: 'match' });
    // They stand behind the rest. Looks inside looks come to the end of the list.
    for (const { step, item } of looks) {
      step.start = steps.length;
      write(item, step.behind);
      push({ kind: 'match' });
    }
    return steps;
  } catch (thrown) {
    if (thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}

/** Whether a text holds a match. `spend` is told of the work, and throws when it is too much. */
export function runMachine(
  machine: Machine,
  text: string,
  isUnicode: boolean,
  spend: (steps: number) => void,
): boolean {
  const codeAt = (at: number, isBackward: boolean): number | undefined => {
    if (isBackward ? at <= 0 : at >= text.length) return undefined;
    if (!isUnicode) return text.charCodeAt(isBackward ? at - 1 : at);
    if (!isBackward) return text.codePointAt(at);
    const pair = at > 1 ? text.codePointAt(at - 2) : undefined;
    return pair !== undefined && pair > 0xffff ? pair : text.charCodeAt(at - 1);
  };
  const isWordAt = (at: number): boolean =>
    at >= 0 && at < text.length && wordCharacters.has(text.charCodeAt(at));
  const isAtEdge = (edge: Edge, at: number): boolean => {
    if (edge === 'start') return at === 0;
    if (edge === 'end') return at === text.length;
    return (isWordAt(at - 1) !== isWordAt(at)) === (edge === 'word');
  };

  const run = (start: number, from: number, isBackward: boolean, isAnywhere: boolean): boolean => {
    /** The turn in which each step was entered last. */
    const entered = new Uint32Array(machine.length);
    /** Notes the sets that are reached without a character. True at a match. */
    const enter = (first: number, at: number, turn: number, states: number[]): boolean => {
      const open = [first];
      for (let index = open.pop(); index !== undefined; index = open.pop()) {
        const step = machine[index];
        if (step === undefined || entered[index] === turn) continue;
        entered[index] = turn;
        if (step.kind === 'match') return true;
        if (step.kind === 'set') states.push(index);
        else if (step.kind === 'split') open.push(step.other, step.to);
        else if (step.kind === 'edge') {
          if (isAtEdge(step.edge, at)) open.push(index + 1);
        } else if (run(step.start, at, step.behind, false) !== step.negative) open.push(index + 1);
      }
      return false;
    };
    let states: number[] = [];
    for (let at = from, turn = 1; ; turn++) {
      if ((isAnywhere || turn === 1) && enter(start, at, turn, states)) return true;
      const code = codeAt(at, isBackward);
      if (code === undefined || (states.length === 0 && !isAnywhere)) return false;
      spend(states.length + 1);
      at += (code > 0xffff ? 2 : 1) * (isBackward ? -1 : 1);
      const next: number[] = [];
      for (const state of states) {
        const step = machine[state];
        if (step?.kind === 'set' && step.set.has(code) && enter(state + 1, at, turn + 1, next)) return true;
      }
      states = next;
    }
  };
  return run(0, 0, false, true);
}
