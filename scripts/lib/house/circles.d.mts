import type { Module } from './modules.mjs';

export function circlesIn(all: readonly Module[], withTypes: boolean): string[][];
