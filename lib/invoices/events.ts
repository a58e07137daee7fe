/** Everything that is ever noted of an invoice. Rules depend on these names: an event of another kind cannot be written. */
export const INVOICE_EVENTS = {
  /** The status moved; webhooks tell it. */
  statusChanged: 'invoice.statusChanged',
  /** Money came after the time. */
  paymentLate: 'invoice.paymentLate',
  /** More came than was due. */
  overpaid: 'invoice.overpaid',
  /** The owner decided on money that does not fit. */
  resolved: 'invoice.resolved',
  /** Money is on the address that the records do not explain. */
  unexplained: 'invoice.unexplained',
  /** The owner wrote a note. */
  noted: 'invoice.noted',
} as const;
type InvoiceEventType = (typeof INVOICE_EVENTS)[keyof typeof INVOICE_EVENTS];
/** What is noted beside changes of status and unexplained money, which note themselves. */
export type NotedEventType = Exclude<InvoiceEventType, (typeof INVOICE_EVENTS)['statusChanged' | 'unexplained']>;
