/**
 * A name without an address that nobody is asked about.
 * @module
 */

/**
 * Fails as a name that does not exist, but in the resolver itself: a label of more than 63 bytes fits into no question
 * (RFC 1035 §2.3.4), so not a packet leaves for it. Names that a server answers for are in `conformance/rebinding.ts`.
 */
export const NOWHERE = `${"nothing-".repeat(8)}.invalid`;
