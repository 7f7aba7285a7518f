export interface Planted {
  folder: string;
  work: string;
  home: string;
  canary: string;
  at: (...parts: string[]) => string;
  put: (file: string, text: string) => void;
}

export type Plant = (planted: Planted) => void;

export function openPlanted(folder: string): Promise<Planted>;
export function copyOf(planted: Planted, folder: string): Planted;
export function command(
  planted: Planted,
  args: string[],
  program?: string,
): Promise<{ code: number | null; stdout: string; stderr: string }>;
export function putClaude(planted: Planted): void;
export function runs(planted: Planted): number;
export function kept(planted: Planted): Record<string, string>;
export const programPlants: Record<string, Plant>;
export const leftoverPlants: Record<string, Plant>;
export const lockPlants: Record<string, Plant>;
export const linkInto: Plant;
export const swapNames: Plant;
