/**
 * Where an address in an answer comes from, by each selector.
 * @module
 */
import type { AddressMapping } from "../../src/core/address/location.ts";

/** The proxy as the caller reaches it. */
export const PROXY = "http://127.0.0.1:8080";

/** A target at `https://a.test`, asked for `/dir/page?q=1`. */
export const HEADER: AddressMapping = {
  selector: "header",
  origin: new URL("https://a.test"),
  basePath: "",
  requestUrl: "https://a.test/dir/page?q=1",
  proxyOrigin: PROXY,
  isHeard: false,
  mountPath: "",
  proxyDomain: "localhost",
  labels: new Map(),
  isFollowed: true,
};
export const COOKIE: AddressMapping = { ...HEADER, selector: "cookie" };
export const LABEL: AddressMapping = {
  ...HEADER,
  selector: "label",
  proxyOrigin: "http://a-test.w.localhost:8080",
};
export const URL_LINK: AddressMapping = { ...HEADER, selector: "url" };
export const ARGUMENT: AddressMapping = { ...HEADER, selector: "arg" };

/** The same target behind the base path `/v1`. */
export const BASED = { basePath: "/v1", requestUrl: "https://a.test/v1/dir/page?q=1" };
export const HOST_SELECTORS = [{ context: HEADER }, { context: COOKIE }, { context: LABEL }];
