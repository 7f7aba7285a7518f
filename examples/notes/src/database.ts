import { DatabaseSync } from 'node:sqlite';

/** One for the process. `NOTES_FILE` names its file. */
export const database = new DatabaseSync(process.env['NOTES_FILE'] ?? ':memory:');

database.exec(`
  CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL, written TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS tags (note INTEGER NOT NULL REFERENCES notes, tag TEXT NOT NULL);
`);
