export declare function listFunctions(folder: string, name: string): string[];
