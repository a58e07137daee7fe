import { describe, expect, it } from 'vitest';
import { page } from './pagination';

describe('page', () => {
  it('[S3.12-01] names the count twice and rounds the pages up', () => {
    expect(page(['a'], 21, { page: 3, pageSize: 10 })).toEqual({
      items: ['a'],
      page: 3,
      pageSize: 10,
      total: 21,
      totalItems: 21,
      totalPages: 3,
    });
    expect(page([], 0, { page: 1, pageSize: 10 }).totalPages).toBe(0);
  });
});
