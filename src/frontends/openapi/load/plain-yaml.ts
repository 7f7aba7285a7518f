/**
 * The value of YAML events that use nothing but mappings, sequences and scalars: nearly every document, in half the time
 * of the library's constructor, which also knows tags, anchors and merge keys.
 */
import {
  EVENT_ID,
  type Event,
  NOT_RESOLVED,
  SCALAR_STYLE,
  type ScalarEvent,
  boolCoreTag,
  floatCoreTag,
  getScalarValue,
  intCoreTag,
  nullCoreTag,
} from 'js-yaml';

const coreTags = [nullCoreTag, boolCoreTag, intCoreTag, floatCoreTag];
/** How every plain scalar begins that the core schema takes for something else than a string. */
const core = /^(?:$|[-+.~0-9nNtTfF])/;

/**
 * The value of the only document; `undefined` when the events ask for more than this reader knows, or a key stands
 * twice.
 */
export function constructPlain(events: readonly Event[], text: string): { value: unknown } | undefined {
  const reader = new PlainReader(events, text);
  const value = reader.read();
  return reader.isPlain && reader.isDone ? { value } : undefined;
}

class PlainReader {
  isPlain = true;
  /** The next event; the first is the document's own. */
  #next = 1;
  readonly #events: readonly Event[];
  readonly #text: string;

  constructor(events: readonly Event[], text: string) {
    this.#events = events;
    this.#text = text;
  }

  /** Only the document's own end is left. */
  get isDone(): boolean {
    return this.#next === this.#events.length - 1;
  }

  read(): unknown {
    const event = this.#events[this.#next];
    this.#next += 1;
    if (event?.type === EVENT_ID.SCALAR) return this.#scalar(event);
    if (event?.type === EVENT_ID.MAPPING && isBare(event)) return this.#mapping();
    if (event?.type === EVENT_ID.SEQUENCE && isBare(event)) return this.#sequence();
    this.isPlain = false;
    return undefined;
  }

  #mapping(): Record<string, unknown> {
    const mapping: Record<string, unknown> = {};
    let pairs = 0;
    for (; !this.#ends(); pairs++) {
      const key = this.#key();
      mapping[key] = this.read();
    }
    if (Object.keys(mapping).length < pairs) this.isPlain = false;
    return mapping;
  }

  #sequence(): unknown[] {
    const items: unknown[] = [];
    while (!this.#ends()) items.push(this.read());
    return items;
  }

  #key(): string {
    const key = this.read();
    if (typeof key === 'object' && key !== null) this.isPlain = false;
    // A merge key, and the one name that plain assignment takes for something else.
    if (key === '<<' || key === '__proto__') this.isPlain = false;
    return String(key);
  }

  /** Whether the collection ends here, or the reading does. */
  #ends(): boolean {
    if (!this.isPlain) return true;
    if (this.#events[this.#next]?.type !== EVENT_ID.POP) return false;
    this.#next += 1;
    return true;
  }

  #scalar(event: ScalarEvent): unknown {
    if (!isBare(event)) this.isPlain = false;
    const source = getScalarValue(this.#text, event);
    if (event.style !== SCALAR_STYLE.PLAIN || !core.test(source)) return source;
    for (const tag of coreTags) {
      const value: unknown = tag.resolve(source, false, tag.tagName);
      if (value !== NOT_RESOLVED) return value;
    }
    return source;
  }
}

/** Without tag and anchor. */
function isBare({ tagStart, anchorStart }: { tagStart: number; anchorStart: number }): boolean {
  return tagStart === -1 && anchorStart === -1;
}
