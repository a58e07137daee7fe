import { expect, test } from 'vitest';
import { parseRoles } from './parse-roles';

test('roles are taken in order, each once', () => {
  expect(parseRoles(['watcher', 'dispatcher', 'watcher'])).toEqual(['watcher', 'dispatcher']);
});

test.each([[[]], [['web']], [['watcher', '--help']]])('%j is refused with the names that exist', (args) => {
  expect(() => parseRoles(args)).toThrow('watcher, dispatcher, signer');
});
