import { wordCharacters } from './character-set.ts';
import type { Meter } from './meter.ts';
import type { Program } from './program.ts';
import type { Edge } from './regex-node.ts';

/** How many steps of a program count as one of the meter. */
const STEPS_PER_UNIT = 8;

/**
 * Whether a text holds a match. All ways through the program are followed side by side, so the work is at most the
 * length of the text by that of the program (for each place where the program looks ahead or behind, once more).
 */
export function runProgram(program: Program, text: string, unicode: boolean, meter: Meter): boolean {
  return new Machine(program, text, unicode, meter).search();
}

class Machine {
  readonly #program: Program;
  readonly #text: string;
  readonly #unicode: boolean;
  readonly #meter: Meter;

  constructor(program: Program, text: string, unicode: boolean, meter: Meter) {
    this.#program = program;
    this.#text = text;
    this.#unicode = unicode;
    this.#meter = meter;
  }

  search(): boolean {
    return this.#run(0, 0, { backward: false, anywhere: true });
  }

  /** Whether the steps from `start` fit the text from `at` on. */
  #run(
    start: number,
    from: number,
    { backward, anywhere }: { backward: boolean; anywhere: boolean },
  ): boolean {
    const marks = new Uint32Array(this.#program.length);
    let states: number[] = [];
    for (let at = from, turn = 1; ; turn++) {
      if ((anywhere || turn === 1) && this.#enter(start, at, { states, marks, turn })) return true;
      if (states.length === 0 && !anywhere) return false;
      const code = this.#codeAt(at, backward);
      if (code === undefined) return false;
      at += (code > 0xffff ? 2 : 1) * (backward ? -1 : 1);
      const next: number[] = [];
      for (const state of states) {
        const step = this.#program[state];
        if (step?.kind !== 'set' || !step.set.has(code)) continue;
        if (this.#enter(state + 1, at, { states: next, marks, turn: turn + 1 })) return true;
      }
      this.#meter.spend(Math.ceil((states.length + 1) / STEPS_PER_UNIT));
      states = next;
    }
  }

  /** Notes the sets that are reached from a step without a character; true when the end is. */
  #enter(
    start: number,
    at: number,
    { states, marks, turn }: { states: number[]; marks: Uint32Array; turn: number },
  ): boolean {
    const open = [start];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (marks[index] === turn) continue;
      marks[index] = turn;
      const step = this.#program[index];
      if (step === undefined) continue;
      switch (step.kind) {
        case 'set':
          states.push(index);
          break;
        case 'split':
          open.push(step.other, step.to);
          break;
        case 'edge':
          if (this.#isAt(step.edge, at)) open.push(index + 1);
          break;
        case 'look':
          if (this.#run(step.start, at, { backward: step.behind, anywhere: false }) !== step.negative)
            open.push(index + 1);
          break;
        case 'match':
          return true;
      }
    }
    return false;
  }

  #codeAt(at: number, backward: boolean): number | undefined {
    const text = this.#text;
    if (backward ? at <= 0 : at >= text.length) return undefined;
    if (!this.#unicode) return text.charCodeAt(backward ? at - 1 : at);
    if (!backward) return text.codePointAt(at);
    const whole = at > 1 ? text.codePointAt(at - 2) : undefined;
    return whole !== undefined && whole > 0xffff ? whole : text.charCodeAt(at - 1);
  }

  #isAt(edge: Edge, at: number): boolean {
    if (edge === 'start') return at === 0;
    if (edge === 'end') return at === this.#text.length;
    const isWord = (index: number): boolean =>
      index >= 0 && index < this.#text.length && wordCharacters.has(this.#text.charCodeAt(index));
    return (isWord(at - 1) !== isWord(at)) === (edge === 'word');
  }
}
