import type { DatabaseSync } from 'node:sqlite';
import { ToolError } from 'mcpgen/runtime';
import { database } from './database.ts';

/** @minLength 1 @maxLength 30 @pattern ^[a-z-]+$ */
type Tag = string;

export interface Note {
  id: number;
  text: string;
  tags: Tag[];
  written: Date;
}

export class Notes {
  readonly #database: DatabaseSync;

  constructor(opened: DatabaseSync) {
    this.#database = opened;
  }

  /**
   * Writes a note down.
   * @tool add_note
   * @param text @minLength 1
   * @param tags Words to find it by.
   */
  add(text: string, tags: Tag[] = []): Note {
    const written = new Date();
    const { lastInsertRowid } = this.#database
      .prepare('INSERT INTO notes (text, written) VALUES (?, ?)')
      .run(text, written.toISOString());
    const id = Number(lastInsertRowid);
    for (const tag of new Set(tags)) this.#database.prepare('INSERT INTO tags VALUES (?, ?)').run(id, tag);
    return { id, text, tags, written };
  }

  /** Finds notes by a word of their text or by a tag, the newest first. @tool find_notes @readOnly */
  find(word: string, /** @minimum 1 @maximum 100 */ limit = 10): Note[] {
    const rows = this.#database
      .prepare(
        `SELECT id FROM notes WHERE text LIKE '%' || ?1 || '%' OR id IN (SELECT note FROM tags WHERE tag = ?1)
         ORDER BY id DESC LIMIT ?2`,
      )
      .all(word, limit);
    return rows.flatMap(({ id }) => this.read(Number(id)) ?? []);
  }

  /** Deletes a note for good. @tool delete_note @destructive */
  delete(id: number): void {
    this.#database.prepare('DELETE FROM tags WHERE note = ?').run(id);
    const { changes } = this.#database.prepare('DELETE FROM notes WHERE id = ?').run(id);
    if (changes === 0) throw new ToolError(`There is no note ${id}.`);
  }

  /** One note. @resource notes://{id} */
  read(id: number): Note | undefined {
    const row = this.#database.prepare('SELECT text, written FROM notes WHERE id = ?').get(id);
    if (row === undefined) return undefined;
    const tags = this.#database.prepare('SELECT tag FROM tags WHERE note = ? ORDER BY rowid').all(id);
    return {
      id,
      text: String(row['text']),
      tags: tags.map(({ tag }) => String(tag)),
      written: new Date(String(row['written'])),
    };
  }
}

export const notes = new Notes(database);
