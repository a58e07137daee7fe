import { Interface } from 'ethers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { balancesCall } from './multicall';

const MULTICALL3 = new Interface([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[] results)',
  'function getEthBalance(address owner) view returns (uint256 balance)',
]);
const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`);
const balance = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });

test('the call is what an ABI coder writes, for any addresses', () => {
  fc.assert(
    fc.property(fc.array(address, { maxLength: 20 }), fc.nat(), (addresses, height) => {
      const [call] = balancesCall(addresses, BigInt(height)).params as [{ to: string; data: string }];
      const ask = (owner: string) => [call.to, false, MULTICALL3.encodeFunctionData('getEthBalance', [owner])];
      expect(call.data).toBe(MULTICALL3.encodeFunctionData('aggregate3', [addresses.map(ask)]));
    }),
  );
});

test('[A18] the answer of an ABI coder is read back exactly, for any balances', () => {
  fc.assert(
    fc.property(fc.array(balance, { minLength: 1, maxLength: 20 }), (balances) => {
      const results = balances.map((units) => [true, MULTICALL3.encodeFunctionResult('getEthBalance', [units])]);
      const answer = MULTICALL3.encodeFunctionResult('aggregate3', [results]);
      const call = balancesCall(
        balances.map(() => `0x${'11'.repeat(20)}`),
        1n,
      );
      expect(call.result.parse(answer)).toEqual(balances);
      expect(call.result.safeParse(answer.slice(0, -64)).success).toBe(false);
    }),
  );
});

test('[B6] a balance that could not be read is refused', () => {
  const answer = MULTICALL3.encodeFunctionResult('aggregate3', [[[false, `0x${'00'.repeat(32)}`]]]);
  expect(balancesCall([`0x${'11'.repeat(20)}`], 1n).result.safeParse(answer).success).toBe(false);
});
