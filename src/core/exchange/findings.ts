/**
 * What the rules of parts find in a request, as far as the core knows it.
 * @module
 */

import type { Address } from "../address/address.ts";
import type { AddressForm } from "../address/selector.ts";
import type { FieldReader, FieldWriter } from "../http/fields.ts";
import type { Reply } from "../http/reply.ts";
import type { Incoming } from "../runtime.ts";
import type { Config } from "../settings/config.ts";

/** The form of another proxy in which an address was sent, and the headers that its clients send and expect. */
export interface Form {
  readonly name: AddressForm;
  /** How messages name the part of the request that holds the address. */
  readonly place: string;
  /** True if the response shows all headers of the target's response, as a sealed response does. */
  showsHead(incoming: Incoming): boolean;
  /**
   * Changes the outgoing headers.
   *
   * @throws {ProxyError} `bad_request` naming the field
   */
  writeRequest(headers: FieldWriter, config: Config): void;
  /** Adds to the response headers. */
  writeAnswer(headers: FieldWriter, source: FormSource): void;
}

/** What a response in a form can tell. */
export interface FormSource {
  readonly incoming: Incoming;
  /** The address that the caller named, and the one that answered, after redirects. */
  readonly named: Address;
  readonly final: Address;
  /** Reads all headers of the target's response. */
  readHead(): FieldReader;
}

/** An address as its caller wrote it, in the form of another proxy. */
export interface Written {
  readonly form: Form;
  /** Not checked: it may turn out to be no valid address. */
  readonly address: string;
}

/** What a caller asks of the proxy in addition to the request itself. */
export interface Wishes {
  /** True if the outgoing headers are to be changed, which caches can't see. */
  readonly isChanged: boolean;
  /** True if `Authorization` is, which then says nothing about the password that the browser keeps. */
  readonly hasOwnLogin: boolean;
  /** True if the response is to be sealed. */
  readonly isSealed: boolean;
  /** Changes the outgoing headers. */
  change(headers: FieldWriter): void;
  /** Seals the response: its body stays as it is, and the browser does not see its head. */
  seal(reply: Reply): Reply;
}

/** A header line: its name in lower case, and its value. */
export type Line = readonly [name: string, value: string];
