/** Best bid and ask of one pair, as texts. */
export interface Book {
  bid: string;
  ask: string;
}

const PRICE = /^\d+(\.\d+)?$/;
const ZERO = /^[0.]+$/;

/** Is this the book of a pair that trades? A pair that was renamed or closed keeps an empty one, with zeros. */
export function isBook(book: Book | undefined): book is Book {
  return book !== undefined && [book.bid, book.ask].every((price) => PRICE.test(price) && !ZERO.test(price));
}
