/** @instance session */
export class Notes {
  #notes: string[] = [];

  /** Writes a note down. @tool add_note */
  add(note: { text: string; due?: Date; tags?: Set<string> }): string[] {
    const year = note.due?.getUTCFullYear() ?? 'some day';
    this.#notes.push(`${note.text} (${year}) ${[...(note.tags ?? [])].join()}`);
    return this.#notes;
  }

  /** How many notes fit. @tool */
  static limit(): bigint {
    return 2n ** 64n;
  }
}
