export interface PackageReading {
  /** Functions without an error. */
  tools: number;
  errors: number;
  warnings: number;
  crashes: string[];
  seconds: number;
}

export declare function readPackage(
  folder: string,
  name: string,
  functions: readonly string[],
): Promise<PackageReading>;
