/** What the record of decisions and live traffic show of a path. */
import { expect, it } from "vitest";
import { maskPath } from "../../../src/core/address/mask-path.ts";
import { rowsOf } from "../../support/rows.ts";

/** What stands before the digits of a byte that is encoded over and over. */
const DEEP = `%${"25".repeat(500)}`;

it.each(rowsOf(["path", "left"], [
  ["/api_key=short/x", "/api_key=***/x"],
  ["/a;v=1;token=abc;w/b", "/a;v=1;token=***;w/b"],
  ["/a/%7B%22pin%22%3A12%2C%22a%22%3A%22b%22%7D", "/a/%7B%22pin%22%3A***%2C%22a%22%3A%22b%22%7D"],
  ["/a;session=1,2", "/a;session=***,2"],
  ["/a%3Bapi%5fkey%3Dshort%26b%3d1", "/a%3Bapi%5fkey%3D***%26b%3d1"],
  ["/https%253A%252F%252Fb.test%253Fpassword%253Dx", "/https%253A%252F%252Fb.test%253Fpassword%253D***"],
  ["/password=a=b", "/password=***"],
  ["/password=/keys/tokens;token", "/password=/keys/tokens;token"],
  ["/Items(key=5);id=7", "/Items(key=5);id=7"],
  ["/https://u:p@a.test/fv1.a.b/bot1:AAHdqTcvCH1vGWJxfSeofSAs0K5", "/https://***@a.test/***/bot1:***"],
  ["/https%3A%2F%2Fu%3Ap%40a.test/x%20y", "/https%3A%2F%2F***%40a.test/x%20y"],
  ["/x/https%253a%252f%252fu%253Ap%2540a.test%252Fb", "/x/https%253a%252f%252f***%2540a.test%252Fb"],
  ["/https%3Au%3Ap%40a.test", "/https%3A***%40a.test"],
  ["/https://u:a%2Fb%20c@a.test/%2F", "/https://***@a.test/%2F"],
  ["/https%3A%2F%2Fu%3Aa%252Fb%40a.test", "/https%3A%2F%2F***%40a.test"],
  [`/https${DEEP}3a${DEEP}2fu${DEEP}3ap${DEEP}40a.test`, `/https${DEEP}3a${DEEP}2f***${DEEP}40a.test`],
  ["/https%3A%2F%2Fa.test%2Ffv1.a.b%2FeyJx.y", "/https%3A%2F%2Fa.test%2F***%2F***"],
  ["/a%2Fbot1%3AAAHdqTcvCH1vGWJxfSeofSAs0K5%2Fsend", "/a%2Fbot1%3A***%2Fsend"],
  ["/reset-password/8f3a2c/x", "/reset-password/***/x"],
  ["/accessToken/hunter2;v=1/otp/123456", "/accessToken/***;v=1/otp/***"],
  ["/a%2Fapi_key%2FShort%2Fx", "/a%2Fapi_key%2F***%2Fx"],
  ["/token/token/v2beta1/tokens/4242/key/x1234", "/token/token/v2beta1/tokens/4242/key/x1234"],
  ["/password/reset-link/token/a1/token", "/password/reset-link/token/a1/token"],
  ["/p%61ssword=a%26b%3Dc", "/p%61ssword=***%26b%3Dc"],
  ["/caf%C3%A9/%zz/%/100%25/%E2%82%AC%00", "/caf%C3%A9/%zz/%/100%25/%E2%82%AC%00"],
  [`/${DEEP}2Fapi_key${DEEP}3Dx`, `/${DEEP}2Fapi_key${DEEP}3D***`],
]))("$path is shown as $left", ({ path, left }) => expect(maskPath(path)).toBe(left));
