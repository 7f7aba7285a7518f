const format = new Intl.NumberFormat('en-IE', { style: 'currency', currency: 'EUR' });

export function euros(amount: number): string {
  return format.format(amount);
}
