/** Keeps one reading's program and built files for the next. */
import { BuiltMemory } from './app/built-memory.ts';
import { ProgramMemory } from './program/program-memory.ts';

export class TypeScriptMemory {
  readonly program = new ProgramMemory();
  readonly built = new BuiltMemory();
}
