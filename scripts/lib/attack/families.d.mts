import type { Family } from './run.mjs';

export function readFamilies(): Promise<Family[]>;
