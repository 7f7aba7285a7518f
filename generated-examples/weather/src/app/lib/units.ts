export enum Unit {
  celsius = 'C',
  fahrenheit = 'F',
}

export const celsius = (fahrenheit: number): number => Math.round((fahrenheit - 32) / 1.8);
