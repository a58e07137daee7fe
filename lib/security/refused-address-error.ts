/** A host that leads, or now leads, where this instance must not connect. */
export class RefusedAddressError extends Error {
  constructor(hostname: string, address: string | undefined) {
    super(
      address === undefined ? `${hostname} has no address.` : `${hostname} leads to ${address}, which is not public.`,
    );
    this.name = 'RefusedAddressError';
  }
}
