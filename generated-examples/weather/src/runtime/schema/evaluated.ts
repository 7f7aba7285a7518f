/** Members of one object or array that a schema has evaluated: what `unevaluatedProperties/Items` leave alone. */
export class Evaluated {
  #allProperties = false;
  #properties: Set<string> | undefined;
  #items = 0;
  #scattered: Set<number> | undefined;

  addProperty(name: string): void {
    (this.#properties ??= new Set()).add(name);
  }

  addAllProperties(): void {
    this.#allProperties = true;
  }

  /** The first `count` items; `Infinity` is all. */
  addItems(count: number): void {
    if (count > this.#items) this.#items = count;
  }

  /** One item, by its index. */
  addItem(index: number): void {
    (this.#scattered ??= new Set()).add(index);
  }

  hasProperty(name: string): boolean {
    return this.#allProperties || this.#properties?.has(name) === true;
  }

  hasItem(index: number): boolean {
    return index < this.#items || this.#scattered?.has(index) === true;
  }

  merge(other: Evaluated): void {
    if (other.#allProperties) this.#allProperties = true;
    for (const name of other.#properties ?? []) this.addProperty(name);
    this.addItems(other.#items);
    for (const index of other.#scattered ?? []) this.addItem(index);
  }
}
