import { describe, expect, it } from 'vitest';
import { readFilters, writeFilters } from './invoice-filters';

const read = (query: string) => readFilters(new URLSearchParams(query));

describe('filters in the address of the list', () => {
  it.each(['', '?stato=paid', '?cerca=borsa+rossa&stato=forcePaid&crypto=LTC&pagina=3'])(
    'come back from %j',
    (query) => {
      expect(writeFilters(read(query))).toBe(query);
    },
  );

  it('take whatever is no filter for "all"', () => {
    expect(read('?stato=rotto&crypto=DOGE&pagina=-1')).toEqual({
      searchKeyword: '',
      status: null,
      cryptoType: null,
      page: 1,
    });
  });
});
