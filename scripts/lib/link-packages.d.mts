export function linkPackages(project: string): void;
