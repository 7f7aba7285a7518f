/** Returns `wish`, or the first numbered name that is not taken. */
export function findFreeName(
  wish: string,
  isTaken: (name: string) => boolean,
  addNumber = (number: number): string => `${wish}_${number}`,
): string {
  let name = wish;
  for (let number = 2; isTaken(name); number += 1) name = addNumber(number);
  return name;
}
