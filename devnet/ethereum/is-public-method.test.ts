import { expect, test } from 'vitest';
import { isPublicMethod } from './is-public-method';

test.each([
  'eth_blockNumber',
  'eth_sendRawTransaction',
  'net_version',
  'web3_clientVersion',
  'trace_block',
  'debug_traceTransaction',
])('%s is what a real node offers', (method) => expect(isPublicMethod(method)).toBe(true));

test.each([
  'anvil_setBalance',
  'evm_mine',
  'hardhat_reset',
  'eth_sendUnsignedTransaction',
  'debug_setHead',
  'personal_unlock',
  'ETH_call',
  '',
])('%j needs the control token', (method) => expect(isPublicMethod(method)).toBe(false));
