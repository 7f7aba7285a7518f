import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const folder = mkdtempSync(path.join(tmpdir(), 'notes-'));
const file = path.join(folder, 'notes.db');
process.env['NOTES_FILE'] = file;
const { Notes } = await import('../src/notes.ts');
const { database } = await import('../src/database.ts');

after(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

test('a note is found by its words and by its tags', () => {
  const notes = new Notes(database);
  const milk = notes.add('Buy milk', ['shop']);
  assert.deepEqual(notes.find('milk'), [milk]);
  assert.deepEqual(notes.find('shop'), [milk]);
  assert.deepEqual(notes.read(milk.id), milk);
  notes.delete(milk.id);
  assert.throws(() => notes.delete(milk.id), { message: `There is no note ${milk.id}.` });
});

async function connect(): Promise<Client> {
  const client = new Client({ name: 'notes-tests', version: '1.0.0' });
  const args = ['node_modules/mcpgen/dist/bin/mcpgen.js', 'serve', '.', '--quiet'];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env: { ...process.env, NOTES_FILE: file } }),
  );
  return client;
}

test('a client writes, finds and reads notes', async () => {
  const client = await connect();
  const { structuredContent: made } = await client.callTool({
    name: 'add_note',
    arguments: { text: 'Call Ada', tags: ['phone'] },
  });
  const { id } = made as { id: number };
  const { structuredContent: found } = await client.callTool({
    name: 'find_notes',
    arguments: { word: 'phone' },
  });
  assert.deepEqual(found, { result: [made] });
  const { contents } = await client.readResource({ uri: `notes://${id}` });
  assert.deepEqual(JSON.parse((contents[0] as { text: string }).text), made);
  const refused = await client.callTool({ name: 'add_note', arguments: { text: '', tags: ['No Tag'] } });
  assert.equal(refused.isError, true);
  assert.match(JSON.stringify(refused.content), /text.*tags/s);
  await client.close();
});

test('the draft of a session becomes a note when the session ends', async () => {
  const client = await connect();
  await client.callTool({ name: 'add_line', arguments: { line: 'One' } });
  const { structuredContent } = await client.callTool({ name: 'add_line', arguments: { line: 'Two' } });
  assert.deepEqual(structuredContent, { result: 'One\nTwo' });
  await client.close();
  using reader = new DatabaseSync(file);
  assert.equal(reader.prepare("SELECT text FROM notes WHERE text LIKE 'One%'").get()?.['text'], 'One\nTwo');
});
