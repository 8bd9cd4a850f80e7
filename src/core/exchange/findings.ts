/**
 * What is found in a request: by the rules of parts, as far as the core knows it, and of cookies and credentials.
 * @module
 */

import type { Address, AddressForm } from "../address/address.ts";
import type { ProxyError } from "../http/error.ts";
import type { FieldReader, FieldWriter } from "../http/fields.ts";
import type { Reply } from "../http/reply.ts";
import type { Incoming } from "../runtime.ts";
import type { Config } from "../settings/config.ts";
import type { RateLimit } from "../settings/values.ts";
import type { Caller } from "../who/caller.ts";
import type { TableEntry } from "./table-entry.ts";

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
  writeResponse(headers: FieldWriter, source: FormSource): void;
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

/** The target of one hop, as the text of its origin names it. */
export interface Endpoint {
  readonly hostname: string;
  readonly port: number;
  readonly origin: URL;
}

/** A caller's own token: whose it is, and what it allows. Its checks only narrow what the settings allow (rule 10.1). */
export interface CallerToken {
  readonly text: string;
  /** True if the token was in the address, as `token=`. */
  readonly isInAddress: boolean;
  readonly claims: {
    /** The caller's id. The log names it, and `rate` is counted under it. */
    readonly id: string;
    /** How many requests per time window. */
    readonly rate?: RateLimit;
    /** The only methods and path prefixes; absent to allow all. */
    readonly methods?: readonly string[];
    readonly paths?: readonly string[];
  };
  /**
   * Refuses pages that the token is not for.
   *
   * @throws {ProxyError} `forbidden`
   */
  checkOrigin(asked: { readonly incoming: Incoming; readonly caller: Caller }): void;
  /**
   * Judges a target by its name, before anything is looked up.
   *
   * @param isResolved false if no name can be looked up here: then the name alone must be enough
   * @throws {ProxyError} `forbidden`
   */
  checkName(endpoint: Endpoint, isResolved: boolean): void;
  /**
   * Judges a target by its addresses, and returns those of them that may be dialled.
   *
   * @throws {ProxyError} `forbidden`
   */
  checkAddresses(endpoint: Endpoint, addresses: readonly string[]): readonly string[];
  /**
   * Checks that the target takes a key in the header that carried the token.
   *
   * @param entry what the table of targets says of the target that the caller named
   * @throws {ProxyError} `token_missing` if it takes none there
   */
  checkPlace(origin: URL, entry: TableEntry | undefined): void;
  /**
   * Checks the method and the path of one hop.
   *
   * @throws {ProxyError} `forbidden`
   */
  checkHop(method: string, path: string): void;
}

/** Why what a caller showed does not count. */
export interface Refused {
  /** Thrown unless something else admits the request. */
  readonly refusal: ProxyError;
  /** The caller's id, for the log. */
  readonly callerId: string | undefined;
}

/** Which cookies may go to a target, and which it may set. */
export interface CookieRights {
  /** The configured host, if the target has the same origin; its responses may set cookies. */
  readonly host: Address | undefined;
  /** Whether the caller's cookies are sent to the target. */
  readonly sendsCookies: boolean;
  /** The host's name in the jar that all hosts share. `undefined` for callers with their own jars, and on labels. */
  readonly owner: string | undefined;
  /** True for a page of another label: to the target it is a page of another site. */
  readonly isCrossing: boolean;
}

/** The decision whether credentials may pass to the target. */
export interface Passage {
  /** Whether the credentials are sent to the target. */
  isOpen: boolean;
  /** The mark of their host, and of the credentials themselves if they are always the same text (Basic). */
  host: string;
  credentials: string | undefined;
}
