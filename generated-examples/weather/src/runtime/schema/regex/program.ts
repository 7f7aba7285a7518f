/** A regular expression as steps of a machine that is in many of them at once (Thompson 1968), so that it never goes back. */
import type { CharacterSet } from './character-set.ts';
import type { Edge, RegexNode } from './regex-node.ts';

export type Step =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  /** Goes on at both. */
  | { kind: 'split'; to: number; other: number }
  | { readonly kind: 'edge'; readonly edge: Edge }
  /** Goes on when the steps from `start` to their `match` fit here (or do not); backwards when it looks behind. */
  | { readonly kind: 'look'; readonly start: number; readonly behind: boolean; readonly negative: boolean }
  | { readonly kind: 'match' };

/** The steps; the first is where a match starts. */
export type Program = readonly Step[];

/** Steps of one program: repetitions with a count are written out. */
const STEPS = 4_000;

class TooLong extends Error {}

/** Undefined when it would be too long. */
export function programOf(node: RegexNode): Program | undefined {
  const writer = new Writer();
  try {
    writer.write(node, false);
    writer.push({ kind: 'match' });
    writer.writeLooks();
    return writer.steps;
  } catch (error) {
    if (error instanceof TooLong) return undefined;
    throw error;
  }
}

class Writer {
  readonly steps: Step[] = [];
  /** Written behind the rest, so that every step but `split` goes on at the next. */
  readonly #looks: { at: number; node: RegexNode & { kind: 'look' } }[] = [];

  push(step: Step): number {
    if (this.steps.length >= STEPS) throw new TooLong();
    return this.steps.push(step) - 1;
  }

  /** @param backward for what is looked at behind: the last character comes first. */
  write(node: RegexNode, backward: boolean): void {
    switch (node.kind) {
      case 'set':
      case 'edge':
        this.push(node);
        break;
      case 'sequence':
        for (const item of backward ? node.items.toReversed() : node.items) this.write(item, backward);
        break;
      case 'choice':
        this.#choice(node.branches, backward);
        break;
      case 'repeat':
        this.#repeat(node, backward);
        break;
      case 'look':
        this.#looks.push({ at: this.push({ ...node, start: 0 }), node });
    }
  }

  writeLooks(): void {
    for (let look = this.#looks.pop(); look !== undefined; look = this.#looks.pop()) {
      const { behind, negative, item } = look.node;
      this.steps[look.at] = { kind: 'look', start: this.steps.length, behind, negative };
      this.write(item, behind);
      this.push({ kind: 'match' });
    }
  }

  #choice(branches: readonly RegexNode[], backward: boolean): void {
    const ends: { to: number }[] = [];
    for (const [index, branch] of branches.entries()) {
      const fork = index === branches.length - 1 ? undefined : this.#split();
      this.write(branch, backward);
      if (fork === undefined) break;
      ends.push(this.#split());
      fork.other = this.steps.length;
    }
    for (const end of ends) this.#lead(end, this.steps.length);
  }

  #repeat({ item, min, max }: RegexNode & { kind: 'repeat' }, backward: boolean): void {
    for (let times = 0; times < min; times++) this.write(item, backward);
    if (max === Infinity) {
      const start = this.steps.length;
      const fork = this.#split();
      this.write(item, backward);
      this.#lead(this.#split(), start);
      fork.other = this.steps.length;
      return;
    }
    const forks: { other: number }[] = [];
    for (let times = min; times < max; times++) {
      forks.push(this.#split());
      this.write(item, backward);
    }
    for (const fork of forks) fork.other = this.steps.length;
  }

  /** A fork whose first way is the next step. */
  #split(): { to: number; other: number } {
    const next = this.steps.length + 1;
    const step: Step & { kind: 'split' } = { kind: 'split', to: next, other: next };
    this.push(step);
    return step;
  }

  #lead(fork: { to: number; other?: number }, to: number): void {
    fork.to = to;
    fork.other = to;
  }
}
