/** What the record of decisions and live traffic show of a path. */
import { expect, it } from "vitest";
import { maskPath } from "../../../src/core/address/mask-path.ts";

/** What stands before the digits of a byte that is encoded over and over. */
const DEEP = `%${"25".repeat(500)}`;

it.each([
  { path: "/api_key=short/x", left: "/api_key=***/x" },
  { path: "/a;v=1;token=abc;w/b", left: "/a;v=1;token=***;w/b" },
  {
    path: "/a/%7B%22pin%22%3A12%2C%22a%22%3A%22b%22%7D",
    left: "/a/%7B%22pin%22%3A***%2C%22a%22%3A%22b%22%7D",
  },
  { path: "/a;session=1,2", left: "/a;session=***,2" },
  { path: "/a%3Bapi%5fkey%3Dshort%26b%3d1", left: "/a%3Bapi%5fkey%3D***%26b%3d1" },
  {
    path: "/https%253A%252F%252Fb.test%253Fpassword%253Dx",
    left: "/https%253A%252F%252Fb.test%253Fpassword%253D***",
  },
  { path: "/password=a=b", left: "/password=***" },
  { path: "/password=/keys/tokens;token", left: "/password=/keys/tokens;token" },
  { path: "/Items(key=5);id=7", left: "/Items(key=5);id=7" },
  {
    path: "/https://u:p@a.test/fv1.a.b/bot1:AAHdqTcvCH1vGWJxfSeofSAs0K5",
    left: "/https://***@a.test/***/bot1:***",
  },
  { path: "/https%3A%2F%2Fu%3Ap%40a.test/x%20y", left: "/https%3A%2F%2F***%40a.test/x%20y" },
  {
    path: "/x/https%253a%252f%252fu%253Ap%2540a.test%252Fb",
    left: "/x/https%253a%252f%252f***%2540a.test%252Fb",
  },
  { path: "/https%3Au%3Ap%40a.test", left: "/https%3A***%40a.test" },
  { path: "/https://u:a%2Fb%20c@a.test/%2F", left: "/https://***@a.test/%2F" },
  { path: "/https%3A%2F%2Fu%3Aa%252Fb%40a.test", left: "/https%3A%2F%2F***%40a.test" },
  {
    path: `/https${DEEP}3a${DEEP}2fu${DEEP}3ap${DEEP}40a.test`,
    left: `/https${DEEP}3a${DEEP}2f***${DEEP}40a.test`,
  },
  { path: "/https%3A%2F%2Fa.test%2Ffv1.a.b%2FeyJx.y", left: "/https%3A%2F%2Fa.test%2F***%2F***" },
  {
    path: "/a%2Fbot1%3AAAHdqTcvCH1vGWJxfSeofSAs0K5%2Fsend",
    left: "/a%2Fbot1%3A***%2Fsend",
  },
  { path: "/reset-password/8f3a2c/x", left: "/reset-password/***/x" },
  { path: "/accessToken/hunter2;v=1/otp/123456", left: "/accessToken/***;v=1/otp/***" },
  { path: "/a%2Fapi_key%2FShort%2Fx", left: "/a%2Fapi_key%2F***%2Fx" },
  { path: "/token/token/v2beta1/tokens/4242/key/x1234", left: "/token/token/v2beta1/tokens/4242/key/x1234" },
  { path: "/password/reset-link/token/a1/token", left: "/password/reset-link/token/a1/token" },
  { path: "/p%61ssword=a%26b%3Dc", left: "/p%61ssword=***%26b%3Dc" },
  { path: "/caf%C3%A9/%zz/%/100%25/%E2%82%AC%00", left: "/caf%C3%A9/%zz/%/100%25/%E2%82%AC%00" },
  {
    path: `/${DEEP}2Fapi_key${DEEP}3Dx`,
    left: `/${DEEP}2Fapi_key${DEEP}3D***`,
  },
])("$path is shown as $left", ({ path, left }) => expect(maskPath(path)).toBe(left));
