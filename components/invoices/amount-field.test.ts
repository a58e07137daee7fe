import { describe, expect, it } from 'vitest';
import { stepEuro } from './amount-field';

describe('stepEuro', () => {
  it('[S2.10-04] [S2.10-05] steps by a cent and never below 0', () => {
    expect(stepEuro('', 1)).toBe('0,01');
    expect(stepEuro('0,01', -1)).toBe('0,00');
    expect(stepEuro('0,00', -1)).toBe('0,00');
    expect(stepEuro('1.248,99', 1)).toBe('1249,00');
    expect(stepEuro('1000000', 1)).toBe('1000000,00');
    expect(stepEuro('1.234', 1)).toBeNull();
  });
});
