/** The spec's list shape, with both names of the count. */
export interface Page<T> {
  items: T[];
  page: number;
  pageSize: number;
  total: number;
  totalItems: number;
  totalPages: number;
}

/**
 * Wraps one page of a list.
 * @param total number of items over all pages
 */
export function page<T>(items: T[], total: number, query: { page: number; pageSize: number }): Page<T> {
  return {
    items,
    page: query.page,
    pageSize: query.pageSize,
    total,
    totalItems: total,
    totalPages: Math.ceil(total / query.pageSize),
  };
}
