/** What the record of decisions and live traffic show of a path. */
import { expect, it } from "vitest";
import { maskPath } from "../../../src/core/address/mask-path.ts";

it.each([
  { path: "/api_key=short/x", left: "/api_key=***/x" },
  { path: "/a;v=1;token=abc;w/b", left: "/a;v=1;token=***;w/b" },
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
])("$path is shown as $left", ({ path, left }) => expect(maskPath(path)).toBe(left));
