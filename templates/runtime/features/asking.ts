// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Works whose questions are messages, whatever the revision: those of tasks. */
import type { Work } from '../session.ts';

export const askingByMessages = new WeakSet<Work>();
