/** The text of `mcpgen.surface.json`, with the settings of one server changed. */
import { isDeepStrictEqual } from 'node:util';

import { isRecord } from '../../../templates/runtime/contract/json-value.ts';
import { SURFACE_FILE } from '../../config/options/surface-file.ts';
import { Refusal } from '../problem.ts';
import { defineOwnMember, setOrRemoveMembers } from './change-words.ts';

type Rec = Record<string, unknown>;

export class SurfaceText {
  readonly #text: string | undefined;
  readonly #whole: Rec;
  readonly #server: string | undefined;
  #settings: Rec;

  /** @throws {Refusal} for a text that is no JSON */
  constructor(text: string | undefined, server: string | undefined) {
    this.#text = text;
    this.#whole = parseSurface(text);
    this.#server = server;
    const servers = this.#whole['servers'];
    const settings: unknown =
      server === undefined
        ? this.#whole
        : isRecord(servers) && Object.hasOwn(servers, server)
          ? servers[server]
          : {};
    this.#settings = isRecord(settings) ? { ...settings } : {};
  }

  get overlays(): string[] {
    const all = [this.#whole['overlays'], this.#settings['overlays']].flat();
    return all.filter((item) => typeof item === 'string');
  }

  /** Members that are `undefined` stay, `null` ones go. */
  setMembers(members: Rec): void {
    this.#settings = setOrRemoveMembers(this.#settings, members);
  }

  addOverlay(file: string): void {
    if (!this.overlays.includes(file))
      this.setMembers({ overlays: [...arrayOrEmpty(this.#settings['overlays']), file] });
  }

  removeOverlay(file: string): void {
    const otherOverlays = arrayOrEmpty(this.#settings['overlays']).filter((overlay) => overlay !== file);
    this.setMembers({ overlays: otherOverlays.length === 0 ? null : otherOverlays });
  }

  changeToolWords(name: string, change: (toolWords: Rec) => Rec): void {
    const tools: Rec = isRecord(this.#settings['tools']) ? { ...this.#settings['tools'] } : {};
    const before = Object.hasOwn(tools, name) ? tools[name] : undefined;
    const after = change(isRecord(before) ? before : {});
    if (Object.keys(after).length === 0) Reflect.deleteProperty(tools, name);
    else defineOwnMember(tools, name, after);
    this.setMembers({ tools: Object.keys(tools).length === 0 ? null : tools });
  }

  /** The text; `undefined` if nothing is left. */
  get printedText(): string | undefined {
    const whole = this.#server === undefined ? this.#settings : this.#replaceServer(this.#server);
    // A file that nothing changes keeps its layout.
    if (isDeepStrictEqual(whole, this.#whole)) return this.#text;
    const isEmpty = Object.keys(whole).every((key) => key === '$schema');
    return isEmpty ? undefined : `${JSON.stringify(whole, undefined, 2)}\n`;
  }

  #replaceServer(server: string): Rec {
    const servers: Rec = isRecord(this.#whole['servers']) ? { ...this.#whole['servers'] } : {};
    if (Object.keys(this.#settings).length === 0) Reflect.deleteProperty(servers, server);
    else defineOwnMember(servers, server, this.#settings);
    return setOrRemoveMembers(this.#whole, { servers: Object.keys(servers).length === 0 ? null : servers });
  }
}

function arrayOrEmpty(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function parseSurface(text: string | undefined): Rec {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    if (isRecord(value)) return value;
  } catch {
    // Told below.
  }
  throw new Refusal(409, `${SURFACE_FILE} is no JSON object. Correct it first.`);
}
